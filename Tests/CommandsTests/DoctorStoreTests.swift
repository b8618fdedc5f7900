import Foundation
import GRDB
import Glibc
import TestWorld
import Testing

/// `doctor` with the stores of the apps as they are on a device, written by other libraries.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorStoreTests {
    struct Line: Decodable, Equatable {
        var severity: String
        var rule: String
        var place: String
        var what: String

        var start: String { "\(severity) \(rule) \(place)" }
    }

    private static let app = "Library/Preferences/com.ecologicaleaving.fin.plist"
    private static let group = "Library/Preferences/group.com.family.financetracker.plist"

    /// Without the notes on the profile's versions and on the agent, and those that depend on the machine.
    private func findings(_ bridge: RealBridge, _ flags: String...) async throws -> [Line] {
        let before = try bridge.allFiles()
        let ended = try await Binary.run(["doctor", "--format", "json"] + bridge.places + flags)
        #expect(ended.errors.isEmpty)
        #expect(try bridge.allFiles() == before)
        return try ended.output.split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            .filter { !["profile-versions", "overlay", "no-agent"].contains($0.rule) }
    }

    private func save(_ bytes: Data, as path: String, in container: String) throws {
        let file = "\(container)/\(path)"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: file).deletingLastPathComponent().path,
            withIntermediateDirectories: true
        )
        try bytes.write(to: URL(filePath: file))
    }

    private func list(_ values: [String: Any]) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    }

    @Test func `Stores that no program has written yet are notes`() async throws {
        try await RealBridge.with { bridge in
            let found = try await findings(bridge, "--profile", "budget", "--stores", "ios")
            #expect(
                found.map(\.start) == [
                    "note missing-store app:\(Self.app)", "note missing-store group:\(Self.group)",
                ]
            )
            try save(try list([:]), as: "Library/Preferences/group.old.plist", in: bridge.group)
            let other = try await findings(bridge, "--profile", "budget", "--stores", "ios")
            #expect(other.last?.what == "there is no such file, but `group.old.plist`")
        }
    }

    @Test func `Keys without the prefix and values of another type are found in preferences`() async throws {
        try await RealBridge.with { bridge in
            let text = RealBridge.oldBudget
            try save(try list(["flutter.widget_data": text]), as: Self.app, in: bridge.app)
            let values: [String: Any] = ["widget_data": text, "flutter.month": 5, "flutter.spent": 450.5]
            try save(try list(values), as: Self.group, in: bridge.group)
            try write(text, to: "\(bridge.app)/budget.json")
            let found = try await findings(bridge, "--profile", "budget", "--stores", "ios")
            #expect(
                found.map(\.start) == [
                    "error wrong-type group:\(Self.group) `flutter.month`",
                    "error other-key group:\(Self.group) `flutter.widget_data`",
                    "note kept-in-store app:budget.json",
                ]
            )
            let whats = found.prefix(2).map(\.what)
            #expect(
                whats == [
                    "is of the type integer, expected string",
                    "the file does not have this key, but `widget_data`",
                ]
            )
        }
    }

    @Test func `A file of another format, and Android's preferences with .bak, are found`() async throws {
        try await RealBridge.with { bridge in
            try save(Data("bplist00".utf8), as: Self.app, in: bridge.app)
            try save(Data("<plist><array/></plist>".utf8), as: Self.group, in: bridge.group)
            let lists = try await findings(bridge, "--profile", "budget", "--stores", "ios")
            #expect(
                lists.map(\.start) == [
                    "error unusable-store app:\(Self.app)", "error unusable-store group:\(Self.group)",
                ]
            )
            let head = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>"
            let path = "shared_prefs/FlutterSharedPreferences.xml"
            try save(Data("\(head)</map>".utf8), as: path, in: bridge.app)
            let newer = #"\#(head)<string name="flutter.widget_data">{"version":9}</string></map>"#
            try save(Data(newer.utf8), as: "\(path).bak", in: bridge.app)
            let found = try await findings(bridge, "--profile", "budget", "--stores", "android")
            #expect(
                found.map(\.start) == [
                    "error newer-version app:\(path) `flutter.widget_data`", "note backup app:\(path)",
                    "note missing-store group:shared_prefs/HomeWidgetPreferences.xml",
                ]
            )
        }
    }

    // MARK: Databases

    private static let database = "Documents/SQLite/beebloom.db"

    @Test func `A database is read without a lock and without a file beside it`() async throws {
        try await RealBridge.with { bridge in
            try save(Data(), as: Self.database, in: bridge.app)
            let file = "\(bridge.app)/\(Self.database)"
            let pool = try DatabasePool(path: file)
            try await pool.write { database in
                try database.execute(sql: #"CREATE TABLE tinybase ("_id" PRIMARY KEY, "store")"#)
                try database.execute(sql: "INSERT INTO tinybase VALUES ('_', ?)", arguments: [#"[{},{"#])
            }
            try save(Data(repeating: 7, count: 8_192), as: "beebloom.db", in: bridge.group)
            let flags = ["--profile", "habits", "--stores", "ios"]
            let open = try await findings(bridge, flags[0], flags[1], flags[2], flags[3])
            #expect(
                open.map(\.start) == [
                    "error not-json app:\(Self.database) `_`", "error unusable-store group:beebloom.db",
                ]
            )
            #expect(open.last?.what == "not an SQLite database, or an encrypted one")
            try pool.close()
        }
    }

    @Test func `A database without the table is named, also one without a byte`() async throws {
        try await RealBridge.with { bridge in
            try save(Data(), as: Self.database, in: bridge.app)
            let queue = try DatabaseQueue(path: "\(bridge.app)/\(Self.database)")
            try await queue.write { try $0.execute(sql: "CREATE TABLE other (a)") }
            try save(Data(), as: "beebloom.db", in: bridge.group)
            let found = try await findings(bridge, "--profile", "habits", "--stores", "ios")
            #expect(
                found.map(\.start) == [
                    "note missing-table app:\(Self.database)", "note missing-table group:beebloom.db",
                ]
            )
            #expect(found.last?.what == #"the database has no table "tinybase""#)
        }
    }

    @Test func `A database that a program keeps locked is an error`() async throws {
        try await RealBridge.with { bridge in
            try save(Data(), as: Self.database, in: bridge.app)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let path = "\(bridge.app)/\(Self.database)"
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try await queue.writeWithoutTransaction {
                try $0.execute(sql: "CREATE TABLE t (a); BEGIN EXCLUSIVE")
            }
            let found = try await findings(bridge, "--profile", "habits", "--stores", "ios")
            #expect(
                found.map(\.start) == [
                    "error locked app:\(Self.database)", "note missing-store group:beebloom.db",
                ]
            )
            try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            let free = try await findings(bridge, "--profile", "habits", "--stores", "ios")
            #expect(free.map(\.rule) == ["missing-table", "missing-store"])
        }
    }
}
