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
        debounceQueue.hint(path, at: .seconds(5))
        #expect(debounceQueue.deadline == .zero)
        do {
            let taken = debounceQueue.take(at: .seconds(5), limit: 9)
            #expect(taken == [path])
        }
        #expect(debounceQueue.deadline == nil)
    }

    @Test mutating func takesManyHintsAsOneForTwentyMillisecondsAfterAnAct() {
        debounceQueue.acted(on: path, at: .zero)
        for millisecond in 1...19 { debounceQueue.hint(path, at: .milliseconds(millisecond)) }
        do {
            let taken = debounceQueue.take(at: .milliseconds(19), limit: 9)
            #expect(taken == [])
        }
        #expect(debounceQueue.deadline == .milliseconds(20))
        do {
            let taken = debounceQueue.take(at: .milliseconds(20), limit: 9)
            #expect(taken == [path])
        }
        #expect(debounceQueue.isEmpty)
    }

    @Test mutating func looksAgainForItselfNoSoonerThanForAHint() {
        debounceQueue.recheck(other, at: .milliseconds(8))
        debounceQueue.acted(on: path, at: .zero)
        debounceQueue.recheck(path, at: .milliseconds(8))
        do {
            let taken = debounceQueue.take(at: .milliseconds(19), limit: 9)
            #expect(taken == [other])
        }
        debounceQueue.recheck(path, at: .milliseconds(30))
        #expect(debounceQueue.deadline == .milliseconds(20))
    }

    @Test mutating func actsAtOnceAgainAfterThat() {
        debounceQueue.acted(on: path, at: .zero)
        debounceQueue.hint(path, at: .milliseconds(20))
        #expect(debounceQueue.deadline == .zero)
    }

    @Test mutating func isFirstComeFirstServedWithinTheLimit() {
        debounceQueue.hint(other, at: .zero)
        debounceQueue.hint(path, at: .zero)
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
