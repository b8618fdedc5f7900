import Glibc
import Model
import RaceLab
import Testing

/// Two real directories, what happens in them, and what is made of it.
private struct Scene {
    let tree: RealTree

    init() throws {
        tree = try RealTree()
        for side in Side.allCases { unsafe mkdir(path(side), 0o755) }
    }

    func path(_ side: Side) -> String { "\(tree.path)/\(side.rawValue)" }
    func path(_ side: Side, _ name: String) -> String { "\(path(side))/\(name)" }

    func save(_ side: Side, _ text: String, name: String = "a.json") throws {
        try write(text, to: path(side, name) + ".tmp")
        unsafe rename(path(side, name) + ".tmp", path(side, name))
    }

    func saveBoth(_ text: String) throws { for side in Side.allCases { try save(side, text) } }

    func write(_ text: String, to path: String) throws {
        try put(text, path, O_TRUNC)
    }

    /// One act after the other, each after so many milliseconds.
    func observe(
        _ acts: [(after: Int, act: () throws -> Void)],
        reloads: String? = nil,
        patience: Duration = .milliseconds(300)
    ) throws -> ObservationReport {
        var settings = ObserverSettings(app: path(.app), group: path(.group))
        settings.reloads = reloads
        settings.patience = patience
        settings.environment = ["RELOADS": "\(tree.path)/reloads"]
        let observer = try Observer(settings)
        var rest = acts[...]
        var last: Duration?
        return try observer.observe { now in
            let since = last ?? now
            last = since
            guard let next = rest.first else { return true }
            if now - since >= .milliseconds(next.after) {
                rest = rest.dropFirst()
                last = now
                do { try next.act() } catch { Issue.record(error) }
            }
            return false
        }
    }
}

private func put(_ text: String, _ path: String, _ flag: Int32) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o644)
    let bytes = Array(text.utf8)
    let count = unsafe write(descriptor, bytes, bytes.count)
    close(descriptor)
    try #require(count == bytes.count)
}

@Suite("Who watches two directories")
struct ObservedTests {
    @Test("finds nothing where a change crosses whole, and tells how long it took")
    func clean() throws {
        let scene = try Scene()
        try scene.saveBoth(#"{"n":0}"#)
        let seen = try scene.observe([
            (50, { try scene.save(.app, #"{"n":1}"#) }), (40, { try scene.save(.group, #"{"n":1}"#) }),
            (50, { try scene.save(.group, #"{"n":2}"#) }), (40, { try scene.save(.app, #"{ "n": 2 }"#) }),
        ])
        #expect(seen.judgement.anomalies == [], "\(seen.judgement.anomalies.map(\.sentence))")
        #expect(seen.verdict == .clean, "\(seen.doubts)")
        #expect(seen.changes == 4)
        let visible = seen.latencies.visible
        #expect(visible.samples.count == 2)
        #expect(visible.samples.allSatisfy { $0 > .milliseconds(20) && $0 < .milliseconds(300) })
    }

    @Test("cannot tell where nothing happens")
    func nothing() throws {
        let scene = try Scene()
        try scene.saveBoth("{}")
        #expect(try scene.observe([]).verdict == .unknown)
    }

    @Test("sees what is half written")
    func torn() throws {
        let scene = try Scene()
        try scene.saveBoth(#"{"n":0,"text":"old"}"#)
        let seen = try scene.observe([
            (50, { try scene.write(#"{"n":1,"te"#, to: scene.path(.group, "a.json")) }),
            (50, { try scene.saveBoth(#"{"n":1,"text":"new"}"#) }),
        ])
        let torn = try #require(seen.judgement.anomalies.first)
        #expect(seen.judgement.kinds == [.tornRead])
        #expect(torn.side == .group && torn.evidence.offset != nil)
        #expect(seen.verdict == .anomaly)
    }

    @Test("does not call torn what was no JSON before it came")
    func notJSON() throws {
        let scene = try Scene()
        try scene.saveBoth("not JSON")
        try scene.save(.app, "{}", name: "b.json")
        try scene.save(.group, "{}", name: "b.json")
        let seen = try scene.observe([
            (50, { try scene.save(.app, "[]", name: "b.json") }),
            (50, { try scene.save(.group, "[]", name: "b.json") }),
        ])
        #expect(seen.judgement.kinds == [])
    }

    @Test("sees a side that stays old for too long")
    func stale() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe([
            (50, { try scene.save(.app, "[1]") }), (700, { try scene.save(.group, "[1]") }),
        ])
        #expect(seen.judgement.kinds == [.staleRead])
        let stale = try #require(seen.judgement.anomalies.first)
        #expect(stale.side == .group && stale.evidence.ageInVersions == 1)
        #expect(stale.evidence.age.map { $0 > .milliseconds(600) } ?? false)
    }

    @Test("sees sides that never become the same")
    func divergence() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe([(50, { try scene.save(.app, "[1]") })])
        #expect(seen.judgement.kinds == [.divergence])
    }

    @Test("sees a side that goes back")
    func back() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe([
            (50, { try scene.save(.app, "[1]") }), (20, { try scene.save(.group, "[1]") }),
            (50, { try scene.save(.group, "[0]") }), (50, { try scene.save(.group, "[1]") }),
        ])
        #expect(seen.judgement.kinds == [.nonMonotonicRead])
    }

    @Test("takes it for no step back that both sides go back")
    func toggled() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe([
            (50, { try scene.save(.app, "[1]") }), (20, { try scene.save(.group, "[1]") }),
            (50, { try scene.save(.app, "[0]") }), (20, { try scene.save(.group, "[0]") }),
        ])
        #expect(seen.judgement.kinds == [])
    }

    @Test("sees a name that is gone for a moment")
    func blink() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe([
            (50, { unsafe unlink(scene.path(.group, "a.json")) }), (50, { try scene.save(.group, "[0]") }),
        ])
        #expect(seen.judgement.kinds == [.nonMonotonicRead])
    }

    @Test("tells a document that was deleted from one that was given another name")
    func deletion() throws {
        for isDeleted in [true, false] {
            let scene = try Scene()
            try scene.saveBoth("[0]")
            let (app, group) = (scene.path(.app, "a.json"), scene.path(.group, "a.json"))
            let seen = try scene.observe([
                (50, { _ = unsafe isDeleted ? unlink(app) : rename(app, app + ".old") }),
                (50, { unsafe unlink(group) }), (100, { try scene.saveBoth("[1]") }),
            ])
            #expect(seen.judgement.kinds == (isDeleted ? [] : [.nonMonotonicRead]))
        }
    }

    @Test("a directory that is not there, or lies in the other, cannot be watched")
    func refuses() throws {
        let scene = try Scene()
        #expect(throws: RaceFailure.missingDirectory("/nowhere")) {
            try Observer(ObserverSettings(app: "/nowhere", group: scene.path(.group)))
        }
        #expect(throws: RaceFailure.self) {
            try Observer(ObserverSettings(app: scene.tree.path, group: scene.path(.group)))
        }
    }
}

@Suite("Who listens to reloads")
struct ObservedReloadTests {
    private static let listening = #"touch "$RELOADS"; exec tail -n +1 -s 0.05 -f "$RELOADS""#

    private func hash(_ text: String) -> String { Digest(of: Array(text.utf8)).description }

    private func tell(_ scene: Scene, _ text: String, generation: Int) throws {
        let line = #"{"document":"a.json","generation":\#(generation),"hash":"\#(hash(text))"}"#
        try put(line + "\n", "\(scene.tree.path)/reloads", O_APPEND)
    }

    @Test("finds nothing where each change is told once, and tells how long it took")
    func clean() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe(
            [
                (50, { try scene.saveBoth("[1]") }), (50, { try tell(scene, "[1]", generation: 1) }),
                (300, { try scene.saveBoth("[2]") }), (50, { try tell(scene, "[2]", generation: 2) }),
                (300, {}),
            ],
            reloads: Self.listening
        )
        #expect(seen.judgement.anomalies == [], "\(seen.judgement.anomalies.map(\.sentence))")
        // Which process saved is not seen, and one may have displaced another one's save.
        #expect(seen.doubts == [.lossUnjudged])
        #expect(seen.reloads == 2)
    }

    @Test("sees one that comes twice, one that comes too early and one that never comes")
    func wrong() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe(
            [
                (50, { try scene.saveBoth("[1]") }), (50, { try tell(scene, "[1]", generation: 1) }),
                (300, { try tell(scene, "[1]", generation: 2) }),
                (300, { try tell(scene, "[2]", generation: 3) }),
                (1500, { try scene.saveBoth("[2]") }), (300, { try scene.saveBoth("[3]") }),
            ],
            reloads: Self.listening
        )
        #expect(seen.judgement.kinds == [.duplicateReload, .prematureReload, .missedReload])
    }

    @Test("says nothing against a reload of what had been overwritten before it was seen")
    func unseen() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        let seen = try scene.observe(
            [
                (50, { try scene.saveBoth("[2]") }), (50, { try tell(scene, "[1]", generation: 1) }),
                (50, { try tell(scene, "[2]", generation: 2) }), (1500, {}),
            ],
            reloads: Self.listening
        )
        #expect(seen.judgement.kinds == [])
        #expect(seen.unseenReloads == 1)
    }

    @Test("a command that is not there is named; one that ends early leaves it in doubt")
    func commands() throws {
        let scene = try Scene()
        try scene.saveBoth("[0]")
        #expect(throws: RaceFailure.noCommand("/nowhere/tail")) {
            try scene.observe([(3000, {})], reloads: "/nowhere/tail")
        }
        let seen = try scene.observe([(50, { try scene.saveBoth("[1]") }), (500, {})], reloads: "exit 3")
        #expect(seen.doubts.map(\.text).contains { $0.contains("reports the reloads, ended with status 3") })
    }
}
