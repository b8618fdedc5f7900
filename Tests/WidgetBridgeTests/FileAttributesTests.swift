import Foundation
import Glibc
import Testing
import WidgetBridge

/// What is copied besides a file's content, and when changes without an event are noticed.
@Suite struct FileAttributesTests {
    @Test func `A write through a hard link elsewhere is found by rehashing`() async throws {
        try await withLinkedDocument(rescan: .seconds(3600)) { bridge in
            try await bridge.wait(timeout: .seconds(60), rehash: true)
            #expect(try await bridge.read("a.json").bytes == Array("2".utf8))
        }
    }

    @Test func `A write through a hard link elsewhere is found by the rescan`() async throws {
        try await withLinkedDocument(rescan: .milliseconds(50)) { bridge in
            for try await notice in bridge.notices() where notice.generation == 2 { break }
            #expect(try await bridge.read("a.json").bytes == Array("2".utf8))
        }
    }

    /// A document of the app that is in sync, and was then written through a hard link.
    private func withLinkedDocument(
        rescan: Duration,
        _ body: (Bridge) async throws -> Void
    ) async throws {
        try await withContainers { app, group, state in
            let outside = app + "-outside.json"
            try Data("1".utf8).write(to: URL(filePath: app + "/a.json"))
            try FileManager.default.linkItem(atPath: app + "/a.json", toPath: outside)
            let options = Options(state: state, rescan: rescan, logger: silent)
            try await withBridge(app: app, group: group, options: options) { bridge in
                let file = try FileHandle(forWritingTo: URL(filePath: outside))
                try file.write(contentsOf: Data("2".utf8))
                try file.close()
                try await body(bridge)
            }
        }
    }

    @Test func `Each side keeps its file mode, and a new document gets the mode of its source`() async throws
    {
        try await withContainers { app, group, state in
            let (here, there) = (app + "/a.json", group + "/a.json")
            try Data("1".utf8).write(to: URL(filePath: here))
            #expect(unsafe chmod(here, 0o640) == 0)
            let options = Options(state: state, logger: silent)
            try await withBridge(app: app, group: group, options: options) { bridge in
                #expect(try mode(of: there) == 0o640)
                #expect(unsafe chmod(here, 0o600) == 0)
                try await bridge.wait(timeout: .seconds(60), rehash: true)
                #expect(try mode(of: there) == 0o640)
                try await bridge.write("2".utf8, to: "a.json", in: .app)
                try await bridge.wait(timeout: .seconds(60))
                #expect(try mode(of: here) == 0o600)
                #expect(try mode(of: there) == 0o640)
            }
        }
    }

    @Test func `A document restored from the trash has its previous mode`() async throws {
        try await withContainers { app, group, state in
            let here = app + "/a.json"
            for name in ["a", "b", "c"] { try Data("1".utf8).write(to: URL(filePath: app + "/\(name).json")) }
            #expect(unsafe chmod(here, 0o600) == 0)
            let options = Options(state: state, logger: silent)
            try await withBridge(app: app, group: group, options: options) { bridge in
                try FileManager.default.removeItem(atPath: here)
                try await bridge.wait(timeout: .seconds(60))
                let old = try #require(try await bridge.history(of: "a.json").first)
                try await bridge.undo(old.id)
                try await bridge.wait(timeout: .seconds(60))
                #expect(try mode(of: here) == 0o600)
                #expect(try mode(of: group + "/a.json") == 0o600)
            }
        }
    }

    private func mode(of file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    }
}
