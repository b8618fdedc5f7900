import Foundation
import Glibc

/// Recorded values by name. A change that is not intended to affect them must not.
///
/// Each line of `Recorded/NAME.txt` beside the test has a name, a tab and a value. With
/// `WIDGETBRIDGE_RECORD` set nothing is compared, and the values are appended to `Recorded/NAME.new`, which
/// `Scripts/snapshots --record` sorts.
package final class Recorded: Sendable {
    private let base: String
    private let values: [String: String]

    package init(_ name: String, testFile: String = #filePath) {
        let directory = URL(filePath: testFile).deletingLastPathComponent().appending(path: "Recorded")
        base = directory.appending(path: name).path
        let text = (try? String(contentsOfFile: base + ".txt", encoding: .utf8)) ?? ""
        let pairs = text.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
        values = Dictionary(pairs.map { (String($0[0]), String($0.last ?? "")) }) { $1 }
    }

    package static var isRecording: Bool {
        ProcessInfo.processInfo.environment["WIDGETBRIDGE_RECORD"] != nil
    }

    /// The difference from the recorded value; `nil` if there is none, or the value is being recorded.
    package func complaint(_ name: String, _ value: String) -> String? {
        if Self.isRecording {
            append("\(name)\t\(value)\n")
            return nil
        }
        if values[name] == value { return nil }
        let recorded = values[name] ?? "nothing"
        return "\(name): recorded \(recorded), found \(value); if that is meant: Scripts/snapshots --record"
    }

    /// A single write, because several tests and processes may do it at once.
    private func append(_ line: String) {
        let file = unsafe open(base + ".new", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        precondition(file >= 0, "cannot record in \(base).new")
        defer { close(file) }
        let bytes = Array(line.utf8)
        precondition(unsafe write(file, bytes, bytes.count) == bytes.count)
    }
}
