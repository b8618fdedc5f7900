import Model
import SyncEngine
import Testing

/// The documents that a side has lost, and those of them that exist under another name.
@Suite final class AbsencesTests {
    private let content = Digest(of: [1])
    private let other = Digest(of: [2])
    private var absences = Absences()

    private func appear(_ name: String, _ digest: Digest) -> Absences.Appearance {
        absences.appear(path(name), digest)
    }

    private func end(absenceOf name: String) -> Bool { absences.end(absenceOf: path(name)) }

    @Test func `a missing document is lost until it is back`() {
        absences.lose(path("a"), content)
        absences.lose(path("a"), content)
        #expect(absences.lost == [path("a")] && absences.lostCount == 1)
        #expect(absences.isMissing(path("a")))
        #expect(end(absenceOf: "a"))
        #expect(!end(absenceOf: "a"))
        #expect(absences.lostCount == 0 && !absences.isMissing(path("a")))
    }

    @Test(arguments: [true, false])
    func `a document found under another name is not lost`(isHeardOfFirst: Bool) {
        if isHeardOfFirst { #expect(appear("d/a", content) == .new) }
        absences.lose(path("a"), content)
        if !isHeardOfFirst { #expect(appear("d/a", content) == .moved) }
        #expect(absences.lost.isEmpty && absences.isMissing(path("a")))
        #expect(absences.target(of: path("a")) == path("d/a"))
        #expect(absences.origin(of: path("d/a")) == path("a"))
    }

    @Test func `another content is another document`() {
        absences.lose(path("a"), content)
        #expect(appear("d/a", other) == .new)
        #expect(absences.lost == [path("a")])
    }

    @Test func `a new name that is gone no longer explains a missing document`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        absences.forget(newDocument: path("b"))
        #expect(absences.lost == [path("a")])
    }

    @Test func `a document that was edited after its rename was seen is not lost, until it is gone`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        for edit in [other, Digest(of: [3])] {
            #expect(appear("b", edit) == .new)
            #expect(absences.lost.isEmpty && absences.isMissing(path("a")))
            #expect(absences.origin(of: path("b")) == nil && absences.target(of: path("a")) == nil)
        }
        absences.forget(newDocument: path("b"))
        #expect(absences.lost == [path("a")])
        #expect(appear("b", content) == .moved)
        #expect(appear("b", other) == .new)
        absences.settle(path("b"))
        #expect(absences.lost.isEmpty, "it was synced")
    }

    @Test func `a rename is awaited only until it is synced, even if its new name is gone then`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        absences.settle(path("b"))
        #expect(absences.target(of: path("a")) == nil)
        absences.lose(path("b"), content)
        absences.settle(path("b"))
        #expect(absences.target(of: path("a")) == nil && absences.lost.isEmpty)
    }

    @Test func `a second copy takes the place of the first new name`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        #expect(appear("c", content) == .new)
        absences.forget(newDocument: path("b"))
        #expect(absences.target(of: path("a")) == path("c"))
    }

    @Test func `a document that is back frees its new name for another one`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        _ = end(absenceOf: "a")
        #expect(absences.origin(of: path("b")) == nil)
        absences.lose(path("c"), content)
        #expect(absences.target(of: path("c")) == path("b"))
    }

    @Test func `a new name explains a missing document even if the other side cannot be given it`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        absences.copy(path("b"))
        #expect(absences.origin(of: path("b")) == nil && absences.wasMoved(path("b")))
        #expect(appear("b", content) == .known && absences.lostCount == 0)
        absences.settle(path("b"))
        #expect(absences.lostCount == 0 && !absences.wasMoved(path("b")))
        absences.settle(path("a"))
        #expect(absences.lostCount == 0 && absences.isEmpty)
    }

    @Test func `a name that was edited before it was synced is that of another document`() {
        absences.lose(path("a"), content)
        _ = appear("b", content)
        absences.copy(path("b"))
        #expect(appear("b", other) == .new)
        #expect(absences.lost.isEmpty && !absences.wasMoved(path("b")))
    }

    @Test func `an allowed deletion is not counted until the document is back`() {
        absences.lose(path("a"), content)
        absences.lose(path("b"), content)
        _ = appear("c", content)
        absences.allowLosses()
        #expect(absences.isMissing(path("a")), "it was moved, not lost")
        absences.lose(path("b"), content)
        #expect(absences.lostCount == 0 && !absences.isMissing(path("b")))
        _ = end(absenceOf: "b")
        absences.lose(path("b"), content)
        #expect(absences.lost == [path("b")])
    }

    @Test func `a held document is not lost, and an allowed one may be deleted later`() {
        absences.lose(path("a"), content)
        absences.allowLosses()
        _ = absences.suspend(absenceOf: path("a"))
        absences.lose(path("a"), content)
        #expect(absences.lostCount == 0)
    }

    @Test func `of thousands of documents with one content each keeps its own last name`() {
        let numbers = 0..<3_000
        for number in numbers { absences.lose(path("d/\(number)"), content) }
        for number in numbers { #expect(appear("e/\(number)", content) == .moved) }
        #expect(numbers.allSatisfy { absences.target(of: path("d/\($0)")) == path("e/\($0)") })
        for number in numbers {
            absences.settle(path("d/\(number)"))
            absences.settle(path("e/\(number)"))
        }
        #expect(absences.lostCount == 0 && absences.lost.isEmpty)
    }
}

private func path(_ name: String) -> RelativePath { inApp(name).path }
