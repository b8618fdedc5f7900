import Model
import SyncEngine
import Testing

@Suite("The debounce queue")
struct DebounceQueueTests {
    let path: RelativePath
    let other: RelativePath
    var debounceQueue = DebounceQueue()

    init() throws {
        path = try #require(RelativePath("a.json"))
        other = try #require(RelativePath("b.json"))
    }

    private func expect(_ wanted: Bool, _ found: Bool, at place: SourceLocation = #_sourceLocation) {
        #expect(found == wanted, sourceLocation: place)
    }

    @Test mutating func actsAtOnceOnTheFirstHint() {
        debounceQueue.enqueue(path)
        #expect(debounceQueue.deadline == .zero)
        do {
            let taken = debounceQueue.take(at: .seconds(5), limit: 9)
            #expect(taken == [path])
        }
        #expect(debounceQueue.deadline == nil)
    }

    @Test mutating func takesManyHintsBeforeATurnAsOne() {
        for _ in 1...9 { debounceQueue.enqueue(path) }
        do {
            let taken = debounceQueue.take(at: .zero, limit: 9)
            #expect(taken == [path])
        }
        #expect(debounceQueue.isEmpty)
    }

    private mutating func act(at milliseconds: Int) {
        debounceQueue.enqueue(path)
        let taken = debounceQueue.take(at: .milliseconds(milliseconds), limit: 9)
        #expect(taken == [path])
        debounceQueue.acts(on: path)
        // The turn has ended before the next one begins.
        #expect(debounceQueue.take(at: .milliseconds(milliseconds + 1), limit: 9) == [])
    }

    @Test mutating func actsThreeTimesWithinTwentyMillisecondsAndOnceMoreAfterThem() {
        for millisecond in [0, 5, 10] { act(at: millisecond) }
        for millisecond in 12...20 {
            debounceQueue.enqueue(path)
            let taken = debounceQueue.take(at: .milliseconds(millisecond), limit: 9)
            #expect(taken == [])
        }
        #expect(debounceQueue.deadline == .milliseconds(21))
        do {
            let taken = debounceQueue.take(at: .milliseconds(21), limit: 9)
            #expect(taken == [path])
        }
        #expect(debounceQueue.isEmpty)
        debounceQueue.acts(on: path)
        act(at: 26)
    }

    @Test mutating func isFirstComeFirstServedWithinTheLimit() {
        debounceQueue.enqueue(other)
        debounceQueue.enqueue(path)
        do {
            let taken = debounceQueue.take(at: .zero, limit: 1)
            #expect(taken == [other])
        }
        do {
            let taken = debounceQueue.take(at: .zero, limit: 1)
            #expect(taken == [path])
        }
    }

    @Test mutating func letsADisappearanceWaitForQuiet() {
        expect(false, debounceQueue.disappearanceLasted(path, at: .zero))
        #expect(debounceQueue.deadline == .milliseconds(100))
        expect(false, debounceQueue.disappearanceLasted(other, at: .milliseconds(60)))
        expect(false, debounceQueue.disappearanceLasted(path, at: .milliseconds(100)))
        expect(true, debounceQueue.disappearanceLasted(path, at: .milliseconds(160)))
    }

    @Test mutating func letsAStreamOfDisappearancesThroughInTheEnd() throws {
        expect(false, debounceQueue.disappearanceLasted(path, at: .zero))
        for place in 1..<40 {
            let next = try #require(RelativePath("\(place).json"))
            _ = debounceQueue.disappearanceLasted(next, at: .milliseconds(50 * place))
        }
        expect(true, debounceQueue.disappearanceLasted(path, at: .seconds(2)))
    }

    @Test mutating func startsAnewWhenTheDocumentWasThereAgain() {
        expect(false, debounceQueue.disappearanceLasted(path, at: .zero))
        debounceQueue.forgetDisappearance(path)
        expect(false, debounceQueue.disappearanceLasted(path, at: .milliseconds(200)))
    }
}
