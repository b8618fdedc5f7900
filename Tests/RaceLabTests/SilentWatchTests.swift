import Foundation
import Glibc
import Model
import TestWorld
import Testing

@testable import RaceLab

/// What other programs hear while the lab watches, and what the lab says of it.
@Suite("Reads of the lab")
struct SilentWatchTests {
    private func observer(_ tree: RealTree) throws -> Observer {
        var settings = ObserverSettings(app: "\(tree.path)/app", group: "\(tree.path)/group")
        settings.patience = .milliseconds(100)
        return try Observer(settings)
    }

    /// Two containers with a document, one of them in a directory.
    private func containers() throws -> RealTree {
        let tree = try RealTree()
        for directory in ["app", "group", "app/notes"] { unsafe mkdir("\(tree.path)/\(directory)", 0o755) }
        for file in ["app/a.json", "group/a.json", "app/notes/n.json"] { try save("[0]", tree, file) }
        return tree
    }

    private func save(_ text: String, _ tree: RealTree, _ file: String) throws {
        try text.write(toFile: "\(tree.path)/.new", atomically: false, encoding: .utf8)
        try #require(unsafe rename("\(tree.path)/.new", "\(tree.path)/\(file)") == 0)
    }

    /// Takes each step once the lab has looked again, and gives what a third program heard by then.
    private func heard(
        _ tree: RealTree,
        isWatched: Bool,
        _ steps: [() throws -> Void]
    ) throws -> [[String]] {
        let recorder = EventRecorder("\(tree.path)/app", "\(tree.path)/app/notes", "\(tree.path)/group")
        var heard: [[String]] = []
        guard isWatched else {
            for step in steps {
                try step()
                heard.append(recorder.events())
            }
            return heard
        }
        let observer = try observer(tree)
        var wakes = 0
        var rest = steps[...]
        let seen = try observer.observe(
            until: { _ in
                wakes += 1
                guard wakes.isMultiple(of: 3) else { return false }
                if wakes > 3 { heard.append(recorder.events()) }
                guard let step = rest.popFirst() else { return true }
                #expect(throws: Never.self) { try step() }
                return false
            },
            isHurried: { true }
        )
        observer.close()
        #expect(recorder.events() == [])
        #expect(seen.reads == .silent && seen.changes > 0 && seen.looks > 0)
        return heard
    }

    @Test(.enabled(if: Wrapper.hasSystemAdministration, "only root may read without raising events"))
    func `are heard by nobody`() throws {
        func steps(_ tree: RealTree) -> [() throws -> Void] {
            [
                {},
                { try save("[1]", tree, "app/a.json") },
                { try save("[1]", tree, "group/a.json") },
                { _ = try String(contentsOfFile: "\(tree.path)/app/a.json", encoding: .utf8) },
                { try "[2]".write(toFile: "\(tree.path)/group/a.json", atomically: false, encoding: .utf8) },
                { try save("[3]", tree, "app/notes/new.json") },
                { unsafe mkdir("\(tree.path)/app/more", 0o755) },
                { try save("[4]", tree, "app/more/m.json") },
                { unsafe unlink("\(tree.path)/app/a.json") },
            ]
        }
        let (plain, watched) = (try containers(), try containers())
        let alone = try heard(plain, isWatched: false, steps(plain))
        #expect(alone[3].contains("open app/a.json"))
        #expect(try heard(watched, isWatched: true, steps(watched)) == alone)
    }

    @Test func `a program that listens for accesses to a file or its directory is found`() throws {
        let tree = try containers()
        func inode(_ path: String) -> UInt64 {
            var status = stat()
            unsafe stat("\(tree.path)/\(path)", &status)
            return UInt64(status.st_ino)
        }
        func listeners() -> [String] { AccessListeners.names(on: [inode("app"), inode("app/a.json")]) }
        #expect(listeners() == [])
        for path in ["app", "app/a.json"] {
            let recorder = EventRecorder("\(tree.path)/\(path)")
            #expect(listeners().count == 1, "\(path)")
            _ = recorder.events()
        }
        let elsewhere = EventRecorder("\(tree.path)/group")
        #expect(listeners() == [])
        _ = elsewhere.events()
    }

    @Test func `a program that listens for changes only is none`() {
        let facts = "pos:\t0\ninotify wd:1 ino:2a sdev:800001 mask:3c6 ignored_mask:0 fhandle-bytes:8\n"
        #expect(!AccessListeners.hears(facts, [0x2a]))
        #expect(AccessListeners.hears(facts.replacing("mask:3c6", with: "mask:3f6"), [0x2a]))
        #expect(!AccessListeners.hears(facts.replacing("mask:3c6", with: "mask:3f6"), [0x2b]))
        let mount = "fanotify flags:0 event-flags:0\nfanotify mnt_id:1d mflags:0 mask:20 ignored_mask:0\n"
        #expect(AccessListeners.hears(mount, []))
    }

    private func report(_ kinds: [AnomalyKind], _ reads: LabReads) -> ObservationReport {
        var history = History()
        history.rest = Rest()
        var judgement = Judgement()
        judgement.anomalies = kinds.map { kind in
            Anomaly(
                kind: kind,
                document: 0,
                side: nil,
                lane: 0,
                steps: 0...0,
                evidence: Anomaly.Evidence(),
                sentence: "A sentence."
            )
        }
        var report = ObservationReport(
            history: history,
            judgement: judgement,
            latencies: Latencies(),
            duration: .seconds(1),
            changes: 1,
            looks: 1,
            noticed: [],
            unseenReloads: 0,
            reloads: nil
        )
        report.reads = reads
        return report
    }

    @Test func `where they were heard, a clean run is no proof and a lost update may be the lab's own`() {
        let heard = LabReads.heard(by: ["bridge"])
        for reads in [LabReads.silent, .unheard, .unused(by: ["bridge"])] {
            #expect(report([], reads).verdict == .clean)
            #expect(report([.lostUpdate], reads).verdict == .anomaly)
        }
        #expect(report([], heard).verdict == .unknown)
        #expect(report([], heard).doubts == [.readsHeard(by: ["bridge"])])
        #expect(report([.lostUpdate], heard).verdict == .unknown)
        #expect(report([.lostUpdate, .tornRead], heard).verdict == .anomaly)
    }
}
