import Documents
import FileSystem
import FileSystemSimulation
import Foundation
import Model
import Replica
import StoreReplica
import Stores
import Testing

/// AsyncStorage's manifest and the file of a long value: two files that no call replaces together.
@Suite struct ValueFileTests {
    private static let short = "short"
    private static let long = String(repeating: "l", count: 1_500)

    /// What the document is before and after a commit; `nil` if it is absent.
    struct Change: CustomTestStringConvertible {
        var from: String?
        var to: String?
        var stray = Stray.none

        var testDescription: String {
            "\(from?.count ?? 0) to \(to?.count ?? 0), \(stray)"
        }

        /// A file that the manifest does not refer to. If it is newer, its program has not finished its save.
        enum Stray: CaseIterable { case none, older, newer }
    }

    static let changes: [Change] = {
        let befores: [String?] = [nil, "1 \(short)", "1 \(long)"]
        let afters: [String?] = [nil, "2 \(short)", "2 \(long)"]
        var changes: [Change] = []
        for from in befores {
            for to in afters where from != nil || to != nil {
                let isLong = from.map { $0.utf16.count > 1_024 } ?? false
                for stray in Change.Stray.allCases where !isLong || stray == .none {
                    changes.append(Change(from: from, to: to, stray: stray))
                }
            }
        }
        return changes
    }()

    private func commit(_ change: Change, in ground: ValueFileGround) throws -> Publication {
        guard let to = change.to else {
            let expected = digest(change.from ?? "")
            let displaced = try ground.replica.displace(path("a.json"), expected: expected, number: 1)
            return displaced.map { .replaced(displaced: $0) } ?? .raced
        }
        let write = DocumentWrite(
            path("a.json"),
            bytes: .text(to),
            digest: digest(to),
            over: change.from.map { digest($0) },
            like: nil,
            number: 1,
            isSynced: true
        )
        let staged = try ground.replica.prepare(write)
        return try ground.replica.commit(staged, over: change.from.map { digest($0) }, waits: true)
    }

    @Test(arguments: changes)
    func `A killed commit leaves a value that is there, and nothing else`(change: Change) throws {
        for calls in 0..<80 {
            let ground = try ValueFileGround(change)
            var rest = calls
            ground.disk.fail = { _, _ in
                rest -= 1
                return rest < 0 ? .error(5) : nil
            }
            if case .replaced(let displaced)? = try? commit(change, in: ground) {
                _ = try? ground.replica.examine(displaced, trustUnknown: true) {
                    $0 == change.from.map { digest($0) }
                }
            }
            ground.disk.fail = { _, _ in nil }
            try ground.restart()
            let found = try ground.value()
            let saved =
                change.stray == .newer ? [change.from, change.to, "stray"] : [change.from, change.to]
            #expect(saved.contains(found), "after \(calls) calls")
            #expect(ground.manifest["other"] as? String == "kept")
            #expect(try ground.temporaries().isEmpty, "after \(calls) calls")
            // What is left behind does not stop the next commit.
            let next = Change(from: found, to: "3 \(Self.long)")
            if try commit(next, in: ground) == .raced {
                _ = try commit(Change(from: try ground.reading(), to: next.to), in: ground)
            }
            #expect(try ground.value() == next.to, "after \(calls) calls")
        }
    }

    /// A program's save is three steps: it reads the manifest, and writes two files.
    @Test(arguments: changes, ["racer \(short)", "racer \(long)"])
    func `What a program saves during a commit is lost at no call`(change: Change, text: String) throws {
        for calls in 0... {
            var isDuring = false
            for first in [0, 1, 3, 8, 100] {
                for second in [0, 1, 5, 100] {
                    isDuring = try race(change, with: text, at: [calls, first, second])
                }
            }
            if !isDuring { break }
        }
    }

    /// Returns whether the save began during the commit.
    private func race(_ change: Change, with text: String, at pauses: [Int]) throws -> Bool {
        let ground = try ValueFileGround(change)
        var steps = zip(pauses, ground.steps(saving: text)).map { (pause: $0, step: $1) }
        ground.disk.meanwhile = { _, _ in
            while let next = steps.first {
                if next.pause > 0 {
                    steps[0].pause -= 1
                    return
                }
                steps.removeFirst()
                next.step()
            }
        }
        var known: [String] = []
        let expected = change.from.map { digest($0) }
        if case .replaced(let displaced) = try commit(change, in: ground) {
            let verdict = try ground.replica.examine(displaced, trustUnknown: true) { $0 == expected }
            if case .overtook(let bytes) = verdict {
                known.append(String(decoding: bytes, as: UTF8.self))
                // As the engine does with a save that a removal displaced.
                if change.to == nil {
                    try? ground.replica.restore(displaced, as: path("a.json"))
                }
            }
        }
        ground.disk.meanwhile = { _, _ in }
        let isDuring = steps.count < pauses.count
        for next in steps { next.step() }
        var found: String?
        #expect(throws: Never.self, Comment(rawValue: "\(pauses)")) { found = try ground.reading() }
        known += found.map { [$0] } ?? []
        let comment = Comment(rawValue: "\(pauses): \(known.map { $0.prefix(8) })")
        #expect(known.contains(text), comment)
        #expect([change.from, change.to, text].contains(found), comment)
        #expect(ground.manifest["other"] as? String == "kept", comment)
        return isDuring
    }
}

/// A container whose app has a manifest, on a simulated disk.
private final class ValueFileGround {
    let disk = SimulatedDisk()
    var replica: any Replica

    private static let file = place("s/manifest.json")
    private static let valueFile = place("s/\(AsyncStorageManifest.fileName(of: "key"))")

    init(_ change: ValueFileTests.Change) throws {
        replica = try Self.replica(of: disk)
        disk.world.makeDirectory(place("s"))
        if change.stray == .older { disk.world.save(Self.valueFile, .text("stray")) }
        write(["other": "kept"])
        if let text = change.from { save(text) }
        if change.stray == .newer { disk.world.save(Self.valueFile, .text("stray")) }
    }

    private static func replica(of disk: SimulatedDisk) throws -> any Replica {
        let yaml = """
            profile: p
            documents:
              a.json: {stores: {ios: {app: {format: async-storage, file: s/manifest.json, text: key}}}}
            """
        let layout = StoreLayout(try Profile(yaml: yaml, file: "p"), on: .app, of: .ios)
        var replica = StoreReplica(.app, of: disk, at: "", BothSides(app: layout, group: StoreLayout()))
        replica.begin(ReplicaSettings(maxBytes: 10_000))
        return replica
    }

    /// A new run settles what a killed one left.
    func restart() throws {
        replica = try Self.replica(of: disk)
        for (place, name) in try replica.list(nil).temporaries {
            guard disk.world.read(place) != nil else { continue }
            _ = try replica.examine(place, trustUnknown: true, isExpected: name.isKnown)
            try replica.remove(place)
        }
    }

    // MARK: The app

    var manifest: [String: Any] {
        let bytes = disk.world.read(Self.file) ?? []
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }

    private func write(_ manifest: [String: Any]) {
        let data = try? JSONSerialization.data(withJSONObject: manifest)
        disk.world.save(Self.file, Array(data ?? Data()))
    }

    func save(_ text: String) { for step in steps(saving: text) { step() } }

    /// As the library does.
    func steps(saving text: String) -> [() -> Void] {
        let isLong = text.utf16.count > 1_024
        var manifest: [String: Any] = [:]
        return [
            { manifest = self.manifest },
            {
                if isLong {
                    self.disk.world.save(Self.valueFile, .text(text))
                } else if manifest["key"] is NSNull {
                    self.disk.world.delete(Self.valueFile)
                }
            },
            {
                if isLong, manifest["key"] is NSNull { return }
                manifest["key"] = isLong ? NSNull() : text
                self.write(manifest)
            },
        ]
    }

    /// What the bridge reads.
    func reading() throws -> String? {
        guard
            case .content(let content) = try replica.read(
                path("a.json"),
                unless: nil,
                mayWait: true,
                isKnown: true,
                pair: nil
            )
        else { return nil }
        return String(decoding: content.bytes, as: UTF8.self)
    }

    /// What the app reads.
    func value() throws -> String? {
        switch manifest["key"] {
        case nil: return nil
        case let text as String: return text
        default:
            let bytes = try #require(disk.world.read(Self.valueFile), "the manifest refers to a file")
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    func temporaries() throws -> [String] {
        try [nil, path("s")].flatMap { directory in
            try disk.list(Directory(Root.app, directory)).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        .filter { !["s", "manifest.json", AsyncStorageManifest.fileName(of: "key")].contains($0) }
    }
}
