import Foundation
import Glibc
import Model
import TestWorld
import Testing

@testable import RaceLab

/// On a busy machine a content comes and goes before the lab can look, or is seen after its copy.
@Suite("Contents that the lab does not see in time")
struct UnseenContentTests {
    private func text(_ number: Int) -> String { "{\"n\":\(number)}" }

    @Test("may be what the bridge brought in the place of a told save: that is in doubt")
    func displacing() throws {
        var sight = try Sight(#"{"m":3}"#)
        sight.saves(.app, #"{"m":0}"#)
        sight.sees(.group, #"{"m":0}"#)
        sight.misses(.group)
        sight.sees(.app, #"{"m":1}"#)
        sight.sees(.group, #"{"m":1}"#)
        let judged = sight.judged()
        #expect(!judged.judgement.kinds.contains(.lostUpdate), "\(judged.judgement)")
        #expect(judged.doubts.contains { $0.kind == .lostUpdate }, "\(judged.doubts)")
    }

    @Test("a bridge that brings each of many quick saves does not make its side a busy one")
    func quick() throws {
        var sight = try Sight(text(0))
        for number in 1...4 {
            sight.sees(.app, text(number))
            sight.sees(.group, text(number))
        }
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.doubts == [])
        #expect(judged.history.steps.filter { $0.what == .changed }.map(\.lane) == [0, 4, 0, 4, 0, 4, 0, 4])
    }

    @Test("what a bridge may have brought before it could be seen is no save, and losses are not judged")
    func missed() throws {
        var sight = try Sight(text(0))
        sight.sees(.app, text(1))
        sight.misses(.app)
        sight.sees(.app, text(3))
        sight.sees(.group, text(2))
        sight.sees(.group, text(3))
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.skipped[.lostUpdate] != nil)
    }

    @Test("what a bridge brought to a side without a program, unseen, is no save that it may bring back")
    func brought() throws {
        var sight = try Sight(text(0), group: false)
        sight.sees(.app, text(1))
        sight.sees(.group, text(1))
        sight.misses(.group)
        sight.sees(.app, text(3))
        sight.sees(.group, text(3))
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.doubts == [])
        #expect(judged.history.steps.filter { $0.what == .changed }.map(\.lane) == [0, 4, 0, 4])
    }

    @Test("what changes while its program waits at a gate is the bridge's")
    func waiting() throws {
        var sight = try Sight(text(0))
        sight.sees(.app, text(1))
        sight.sees(.app, text(3))
        sight.sees(.group, text(2), isOfWaiting: true)
        sight.sees(.group, text(3), isOfWaiting: true)
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.doubts == [])
    }

    /// Does that once the lab watches, and before it looks again; then ends.
    private func observed(_ act: (Observer, RealTree) throws -> Void) throws -> ObservedHistory {
        let tree = try RealTree()
        for directory in ["app", "group"] { unsafe mkdir("\(tree.path)/\(directory)", 0o755) }
        let observer = try Observer(ObserverSettings(app: "\(tree.path)/app", group: "\(tree.path)/group"))
        defer { observer.close() }
        var hasActed = false
        _ = try observer.observe(
            until: { _ in
                if !hasActed { #expect(throws: Never.self) { try act(observer, tree) } }
                defer { hasActed = true }
                return hasActed
            },
            isHurried: { true }
        )
        return observer.sightings
    }

    private func save(_ text: String, _ tree: RealTree, _ file: String) throws {
        // Beside it: the kernel tells once of two files that come from elsewhere under one name.
        try text.write(toFile: "\(tree.path)/\(file).new", atomically: false, encoding: .utf8)
        try #require(unsafe rename("\(tree.path)/\(file).new", "\(tree.path)/\(file)") == 0)
    }

    @Test("a change is noted before that of the other side that came later, wherever the lab looks first")
    func order() throws {
        let path = try #require(RelativePath("a.json"))
        let seen = try observed { observer, tree in
            for side in Side.allCases { try save("1", tree, "\(side.rawValue)/a.json") }
            observer.look(path, .group, isHinted: true)
        }
        #expect(seen.history.steps.filter { $0.what == .changed }.map(\.side) == [.app, .group])
    }

    @Test("a content is not noted after a later one of its side that came while the lab looked at the other")
    func orderOfSide() throws {
        let path = try #require(RelativePath("a.json"))
        let seen = try observed { observer, tree in
            func bring(_ text: String) throws {
                for file in ["app", "app", "group"] { try save(text, tree, "\(file)/a.json") }
            }
            try bring("8")
            var isFirst = true
            observer.isWaiting = { _ in
                if isFirst { #expect(throws: Never.self) { try bring("9") } }
                isFirst = false
                return false
            }
            observer.look(path, .group, isHinted: true)
            #expect(!isFirst)
            observer.lookAtAll()
        }
        let group = seen.history.steps.filter { $0.what == .changed && $0.side == .group }
        let contents = group.compactMap { $0.version.map { seen.table[$0].bytes } }
        #expect(contents == contents.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test("a write into a file that has lost its name is told of, until another one has the name or none")
    func replacedWrite() throws {
        func seen(_ act: (String) throws -> Void) throws -> Int {
            let seen = try observed { observer, tree in
                let file = "\(tree.path)/app/a.json"
                try save("1", tree, "app/a.json")
                observer.lookAtAll()
                let opened = try #require(FileHandle(forUpdatingAtPath: file))
                defer { try? opened.close() }
                try opened.write(contentsOf: Data("2".utf8))
                observer.lookAtAll()
                try act(file)
                try opened.write(contentsOf: Data("3".utf8))
            }
            return Set(seen.evidence.replacedWrites).count
        }
        #expect(try seen { _ in } == 0)
        #expect(try seen { unsafe unlink($0) } == 1)
        #expect(try seen { unsafe rename("\($0)", "\($0).old") } == 1)
        let other = try seen { file in
            try "4".write(toFile: "\(file).new", atomically: false, encoding: .utf8)
            unsafe rename("\(file).new", file)
        }
        #expect(other == 1)
    }

    @Test("a save that is replaced before the lab looks is counted as missed", arguments: 1...3)
    func overtaken(saves: Int) throws {
        let seen = try observed { _, tree in
            for number in 1...saves { try save("\(number)", tree, "app/a.json") }
        }
        #expect(seen.evidence.missed.count == (saves > 1 ? 1 : 0))
        let half = try observed { _, tree in
            try save("1", tree, "app/a.json")
            if saves > 1 {
                try "2".write(toFile: "\(tree.path)/app/a.json", atomically: false, encoding: .utf8)
            }
        }
        #expect(half.evidence.missed.count == (saves > 1 ? 1 : 0))
    }
}
