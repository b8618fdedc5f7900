import FileSystem
import Model
import SyncEngine
import Testing

/// A program's own saves; without an engine or a disk.
@Suite struct OwnSavesTests {
    private let place = inApp("a.json")

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func displaced(number: UInt64, madeOf base: String?) -> DisplacedFile {
        DisplacedFile(
            side: .app,
            document: place.path,
            place: inApp("out"),
            expected: .content(Digest(of: [])),
            base: base.map { bytes($0) },
            due: .zero,
            number: number
        )
    }

    @Test func `the current content is a save based on the last publication`() {
        var saves = OwnSaves()
        saves.record(standing: bytes("save"), at: place)
        #expect(saves.isEmpty)
        saves.recordPublication(bytes("new"), at: place)
        saves.record(standing: bytes("new"), at: place)
        #expect(saves.saves(at: place, before: bytes("x")).isEmpty)
        saves.record(standing: bytes("save"), at: place)
        #expect(saves.saves(at: place, before: bytes("x")).map(\.base) == [bytes("new")])
        #expect(saves.saves(at: place, before: bytes("save")).isEmpty)
    }

    @Test func `saves are ordered by their numbers, whenever they are recorded`() {
        var saves = OwnSaves()
        let numbers = (0..<3).map { _ in saves.nextNumber() }
        #expect(numbers == [1, 2, 3])
        saves.record(merged: bytes("three"), displaced(number: 3, madeOf: "two"))
        saves.record(merged: bytes("one"), displaced(number: 1, madeOf: "zero"))
        let others = saves.others(than: displaced(number: 2, madeOf: "one"), standing: nil)
        #expect(others.earlier.map(\.bytes) == [bytes("one")])
        #expect(others.later.map(\.bytes) == [bytes("three")])
    }

    @Test func `the current content is the last of the later saves, unless it is the publication`() {
        var saves = OwnSaves()
        saves.recordPublication(bytes("new"), at: place)
        let one = displaced(number: 1, madeOf: "old")
        #expect(saves.others(than: one, standing: bytes("new")).later.isEmpty)
        let later = saves.others(than: one, standing: bytes("save")).later
        #expect(later.map(\.base) == [bytes("new")] && later.map(\.bytes) == [bytes("save")])
    }

    @Test func `a document that the bridge created anew is no save of the program`() {
        var saves = OwnSaves()
        saves.recordCreation(bytes("first"), at: place)
        #expect(saves.isEmpty)
        saves.recordPublication(bytes("new"), at: place)
        saves.recordCreation(bytes("created"), at: place)
        let one = displaced(number: 1, madeOf: "old")
        #expect(saves.others(than: one, standing: bytes("created")).later.isEmpty)
        #expect(saves.others(than: one, standing: bytes("save")).later.map(\.base) == [bytes("created")])
    }

    @Test func `a save with an unknown base is not used`() {
        var saves = OwnSaves()
        saves.record(merged: bytes("one"), displaced(number: 1, madeOf: nil))
        #expect(saves.isEmpty)
    }

    @Test func `at most the last sixteen saves of a document are kept`() {
        var saves = OwnSaves()
        for number in 1...20 {
            saves.record(merged: bytes("\(number)"), displaced(number: UInt64(number), madeOf: "base"))
        }
        #expect(saves.saves(at: place, before: []).map(\.number) == Array(5...20))
    }

    @Test func `saves are forgotten when nothing waits for them`() {
        var saves = OwnSaves()
        saves.recordPublication(bytes("new"), at: place)
        saves.record(standing: bytes("save"), at: place)
        saves.forget(except: [place]) { _ in false }
        #expect(!saves.isEmpty)
        // The publication is forgotten before the saves.
        saves.forget(except: []) { _ in true }
        #expect(saves.others(than: displaced(number: 9, madeOf: "x"), standing: bytes("y")).later.isEmpty)
        #expect(!saves.saves(at: place, before: []).isEmpty)
        saves.forget(except: []) { _ in false }
        #expect(saves.isEmpty)
    }
}
