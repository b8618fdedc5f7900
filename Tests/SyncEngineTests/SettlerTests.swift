import Reconciliation
import SyncEngine
import Testing

@Suite("Settling")
struct SettlerTests {
    let path: RelativePath
    let other: RelativePath
    var settler = Settler()

    init() throws {
        path = try #require(RelativePath("a.json"))
        other = try #require(RelativePath("b.json"))
    }

    private func expect(_ wanted: Bool, _ found: Bool, at place: SourceLocation = #_sourceLocation) {
        #expect(found == wanted, sourceLocation: place)
    }

    @Test mutating func actsAtOnceOnTheFirstHint() {
        settler.hint(path, at: .seconds(5))
        #expect(settler.deadline == .zero)
        do {
            let taken = settler.take(at: .seconds(5), limit: 9)
            #expect(taken == [path])
        }
        #expect(settler.deadline == nil)
    }

    @Test mutating func takesManyHintsAsOneForTwentyMillisecondsAfterAnAct() {
        settler.acted(on: path, at: .zero)
        for millisecond in 1...19 { settler.hint(path, at: .milliseconds(millisecond)) }
        do {
            let taken = settler.take(at: .milliseconds(19), limit: 9)
            #expect(taken == [])
        }
        #expect(settler.deadline == .milliseconds(20))
        do {
            let taken = settler.take(at: .milliseconds(20), limit: 9)
            #expect(taken == [path])
        }
        #expect(settler.isEmpty)
    }

    @Test mutating func looksAgainForItselfNoSoonerThanForAHint() {
        settler.recheck(other, at: .milliseconds(8))
        settler.acted(on: path, at: .zero)
        settler.recheck(path, at: .milliseconds(8))
        do {
            let taken = settler.take(at: .milliseconds(19), limit: 9)
            #expect(taken == [other])
        }
        settler.recheck(path, at: .milliseconds(30))
        #expect(settler.deadline == .milliseconds(20))
    }

    @Test mutating func actsAtOnceAgainAfterThat() {
        settler.acted(on: path, at: .zero)
        settler.hint(path, at: .milliseconds(20))
        #expect(settler.deadline == .zero)
    }

    @Test mutating func isFirstComeFirstServedWithinTheLimit() {
        settler.hint(other, at: .zero)
        settler.hint(path, at: .zero)
        do {
            let taken = settler.take(at: .zero, limit: 1)
            #expect(taken == [other])
        }
        do {
            let taken = settler.take(at: .zero, limit: 1)
            #expect(taken == [path])
        }
    }

    @Test mutating func letsADisappearanceWaitForQuiet() {
        expect(false, settler.disappearanceLasted(path, at: .zero))
        #expect(settler.deadline == .milliseconds(100))
        expect(false, settler.disappearanceLasted(other, at: .milliseconds(60)))
        expect(false, settler.disappearanceLasted(path, at: .milliseconds(100)))
        expect(true, settler.disappearanceLasted(path, at: .milliseconds(160)))
    }

    @Test mutating func letsAStreamOfDisappearancesThroughInTheEnd() throws {
        expect(false, settler.disappearanceLasted(path, at: .zero))
        for place in 1..<40 {
            let next = try #require(RelativePath("\(place).json"))
            _ = settler.disappearanceLasted(next, at: .milliseconds(50 * place))
        }
        expect(true, settler.disappearanceLasted(path, at: .seconds(2)))
    }

    @Test mutating func startsAnewWhenTheDocumentWasThereAgain() {
        expect(false, settler.disappearanceLasted(path, at: .zero))
        settler.forgetDisappearance(path)
        expect(false, settler.disappearanceLasted(path, at: .milliseconds(200)))
    }
}
