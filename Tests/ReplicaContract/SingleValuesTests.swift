import FileSystem
import FileSystemSimulation
import Model
import Replica
import Stores
import Testing

@testable import StoreReplica

/// A document that is in its store as a whole, and once more by a single value.
@Suite struct SingleValuesTests {
    private static let layout: StoreLayout = {
        var document = LineFile.document(under: "a.json", in: StoreGround.file)
        document.keys = ["a.json", "copy"]
        document.changes = { (bytes) throws(StoreProblem) in
            let value = bytes.map { StoreValue.data($0) }
            return ["a.json": value, "copy": value]
        }
        document.disagrees = { $0["copy"] != .data($1) }
        return StoreLayout([path("a.json"): .keyed(document)])
    }()

    /// A program has saved "1", and left "0" under the other key.
    private func ground(canExchange: Bool = true) throws -> StoreGround {
        let ground = StoreGround(canExchange: canExchange)
        ground.set("copy", .data(.text("0")))
        ground.set("other", .data(.text("kept")))
        ground.save("a.json", "1")
        try restart(ground)
        return ground
    }

    /// With the look that an engine takes at once.
    private func restart(_ ground: StoreGround) throws {
        let layouts = BothSides(app: Self.layout, group: StoreLayout())
        ground.replica = StoreReplica(.app, of: ground.disk, at: "", layouts)
        ground.replica.begin(ReplicaSettings(maxBytes: 1000))
        try look(ground)
    }

    /// The document was "0" in the base.
    private func look(_ ground: StoreGround) throws {
        _ = try ground.replica.read(
            path("a.json"),
            unless: digest("0"),
            mayWait: false,
            isKnown: true,
            pair: nil
        )
    }

    private func copy(_ ground: StoreGround) -> String? {
        guard case .data(let bytes) = ground.lines["copy"] else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func exists(_ place: Location, _ ground: StoreGround) -> Bool {
        (try? ground.disk.status(of: place)) != nil
    }

    private func expectAgreement(_ ground: StoreGround, on text: String) throws {
        #expect(ground.text("a.json") == text && copy(ground) == text)
        #expect(ground.lines["other"] == .data(.text("kept")))
        #expect(try ground.temporaries().isEmpty)
        #expect(ground.replica.deadline == nil)
    }

    @Test(arguments: [true, false])
    func `It follows the whole document, once`(canExchange: Bool) throws {
        let ground = try ground(canExchange: canExchange)
        #expect(ground.replica.deadline == .zero)
        #expect(ground.replica.step(at: .zero) == [path("a.json")])
        try expectAgreement(ground, on: "1")
        let before = try ground.signature("a.json")
        #expect(ground.replica.step(at: .zero).isEmpty)
        #expect(try ground.signature("a.json") == before)
        ground.save("a.json", "2")
        #expect(ground.replica.step(at: .zero) == [path("a.json")])
        try expectAgreement(ground, on: "2")
    }

    @Test(arguments: [true, false])
    func `A save during the change is kept, and followed`(canExchange: Bool) throws {
        let ground = try ground(canExchange: canExchange)
        ground.race { ground.save("a.json", "racer") }
        _ = ground.replica.step(at: .zero)
        #expect(ground.text("a.json") == "racer")
        _ = ground.replica.step(at: .zero)
        try expectAgreement(ground, on: "racer")
    }

    @Test func `A store that cannot be written is left, without an attempt after the other`() throws {
        let ground = try ground()
        ground.disk.fail = { call, _ in call == .rename ? .error(5) : nil }
        #expect(ground.replica.step(at: .zero).isEmpty)
        #expect(ground.replica.deadline == nil)
        ground.disk.fail = { _, _ in nil }
        #expect(ground.replica.step(at: .zero) == [path("a.json")])
        try expectAgreement(ground, on: "1")
    }

    @Test func `A store that is missing is not waited for`() throws {
        let ground = StoreGround(canExchange: true)
        let layouts = BothSides(app: Self.layout, group: StoreLayout())
        ground.replica = StoreReplica(.app, of: ground.disk, at: "", layouts)
        ground.replica.begin(ReplicaSettings(maxBytes: 1000))
        #expect(try ground.replica.signature(of: path("a.json"), isKnown: false) == nil)
        #expect(ground.replica.step(at: .zero).isEmpty)
        #expect(ground.replica.deadline == nil)
        ground.set("copy", .data(.text("0")))
        ground.save("a.json", "1")
        try look(ground)
        #expect(ground.replica.step(at: .zero) == [path("a.json")])
    }

    @Test func `A value that a program saves alone stays until the document changes`() throws {
        let ground = try ground()
        _ = ground.replica.step(at: .zero)
        _ = ground.replica.step(at: .zero)
        ground.set("copy", .data(.text("alone")))
        #expect(ground.replica.step(at: .zero).isEmpty)
        #expect(copy(ground) == "alone")
        ground.save("a.json", "2")
        #expect(ground.replica.step(at: .zero) == [path("a.json")])
        try expectAgreement(ground, on: "2")
    }

    @Test func `Neither are values replaced that differ at the first sight of the document`() throws {
        let ground = StoreGround(canExchange: true)
        ground.set("copy", .data(.text("0")))
        ground.save("a.json", "1")
        let layouts = BothSides(app: Self.layout, group: StoreLayout())
        ground.replica = StoreReplica(.app, of: ground.disk, at: "", layouts)
        ground.replica.begin(ReplicaSettings(maxBytes: 1000))
        _ = try ground.content("a.json")
        #expect(ground.replica.step(at: .zero).isEmpty)
        #expect(copy(ground) == "0")
    }

    @Test(arguments: 0..<40)
    func `A killed change loses nothing, and is made by the next run`(calls: Int) throws {
        let ground = try ground()
        var rest = calls
        ground.disk.fail = { _, _ in
            rest -= 1
            return rest < 0 ? .error(5) : nil
        }
        _ = ground.replica.step(at: .zero)
        ground.disk.fail = { _, _ in nil }
        try restart(ground)
        // The one of two that the other was made from goes with it.
        for (place, name) in try ground.replica.list(nil).temporaries where exists(place, ground) {
            let found = try ground.replica.examine(place, trustUnknown: true, isExpected: name.isKnown)
            guard case .expected = found else {
                Issue.record("\(found)")
                return
            }
            try ground.replica.remove(place)
        }
        _ = ground.replica.step(at: .zero)
        try expectAgreement(ground, on: "1")
    }
}
