import Foundation
import Testing

@Suite("Bans")
struct BansTests {
    @Test("are obeyed")
    func kept() async throws {
        let found = try await output(of: Project.root.appending(path: "Scripts/bans").path)
        #expect(found.text == "")
        #expect(found.status == 0)
    }

    /// Each is split in two, so that this file does not contain what is banned.
    private static let broken = [
        ("Sources/A/A.swift", "try data.write(to: url, options: [" + ".atomic])"),
        ("Sources/A/A.swift", "manager.replaceItem" + "At(url, withItemAt: other)"),
        ("Sources/A/A.swift", "let text = try" + "! read()"),
        ("Sources/A/A.swift", "let number = value as" + "! Int"),
        ("Sources/A/A.swift", "final class Box: @unchecked" + " Sendable {}"),
        ("Sources/A/A.swift", "let process = Pro" + "cess()"),
        ("Sources/A/A.swift", #"if error.description == "gone" { return }"#),
        ("Sources/A/A.swift", #"if row?.reason != "held" { return }"#),
        ("Sources/A/A.swift", #"let isLate = message == "late""#),
        ("Sources/A/A.swift", #"if "gone" == failure?.reason { return }"#),
        ("Sources/A/A.swift", #"guard reason.hasPrefix("its view") else { return }"#),
        ("Sources/A/A.swift", #"guard error.message?.contains("disk") == true else { return }"#),
        ("Sources/A/A.swift", #"let isHeld = problem.text.hasSuffix("writing")"#),
        ("Sources/A/A.swift", #"let place = reason.firstMatch(of: #/\d+:\d+/#)"#),
        ("Sources/A/A.swift", #"let place = text.wholeMatch(of: /\d+/)"#),
        ("Sources/A/A.swift", #"let pattern = try NSRegularExpression(pattern: "[0-9]+")"#),
        ("Sources/A/A.swift", #"let pattern = try Regex(text)"#),
        ("Tests/A/A.swift", "let process = Foundation.Pro" + "cess()"),
        ("Tests/A/A.swift", "try await Task.sl" + "eep(for: .seconds(1))"),
        ("Tests/A/A.swift", "unsafe usl" + "eep(1000)"),
    ]

    @Test("are detected when violated", arguments: broken)
    func noticed(path: String, line: String) async throws {
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("\n\(line)\n".utf8).write(to: file)
            let found = try await output(
                of: Project.root.appending(path: "Scripts/bans").path,
                [directory.path]
            )
            #expect(found.text.hasPrefix("\(path):2:"))
            #expect(found.status == 1)
        }
    }

    /// Text that only looks like a use of what is banned.
    private static let allowed = [
        #"if halt.reason == .gone { return }"#,
        #"guard text.hasPrefix(Self.scheme) else { return nil }"#,
        #"let parts = path.description.split(separator: "/")"#,
        #"if reason == other.reason { return }"#,
        #"let what = "gone""#,
        #"case .gone: reason = "gone""#,
        ##"{$ref: "#/$defs/goodData"}"##,
    ]

    @Test("do not affect text that only looks similar", arguments: allowed)
    func leftAlone(line: String) async throws {
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "Sources/A.swift")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("\(line)\n".utf8).write(to: file)
            let found = try await output(
                of: Project.root.appending(path: "Scripts/bans").path,
                [directory.path]
            )
            #expect(found.text == "" && found.status == 0)
        }
    }
}
