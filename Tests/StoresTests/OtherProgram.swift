import Foundation
import Stores
import TestWorld
import Testing

/// Programs that are not ours, which read and write the same formats.
enum OtherProgram {
    case java, python

    /// With its compiler, as it runs a source file.
    static let hasJava = FileManager.default.isExecutableFile(atPath: "/usr/bin/javac")

    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Readers"
    )

    private var command: [String] {
        switch self {
        case .java:
            [
                "/usr/bin/java", "-XX:TieredStopAtLevel=1",
                Self.directory.appending(path: "Preferences.java").path,
            ]
        case .python: ["/usr/bin/python3", Self.directory.appending(path: "preferences.py").path]
        }
    }

    /// Its output for this input.
    func run(_ verb: String, _ input: String) async throws -> String {
        let running = try Running(command: command + [verb])
        running.write(input)
        let ended = await running.ended()
        #expect(ended.status == 0, "\(ended.errors)")
        return ended.output
    }

    /// The entries of a preferences file, as lines.
    func read(_ file: [UInt8]) async throws -> Set<String> {
        Set(
            try await run("read", String(decoding: file, as: UTF8.self)).split(separator: "\n").map(
                String.init
            )
        )
    }
}

/// A text as the other programs' lines have it.
func field(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

/// An entry of a preferences file, as the other programs print it.
func line(_ key: String, _ value: StoreValue?) -> String {
    let fields: [String] =
        switch value {
        case .string(let text)?: ["string", field(key), field(text)]
        case .int32(let number)?: ["int", field(key), "\(number)"]
        case .integer(let number)?: ["long", field(key), "\(number)"]
        case .float(let number)?: ["float", field(key), "\(Int32(bitPattern: number.bitPattern))"]
        case .bool(let flag)?: ["boolean", field(key), "\(flag)"]
        case .strings(let strings)?: ["set", field(key)] + strings.map(field)
        default: ["null", field(key)]
        }
    return fields.joined(separator: "\t")
}
