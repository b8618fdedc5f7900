import Foundation
import Glibc

/// Whose logs lie beneath a state directory. Each is found by the path of its directory alone, so that one
/// that was renamed has to be told what it was called.
struct MigratedDirectories {
    private static let name = "directory"
    private static let logs = "migrations"

    /// Their paths; of one of an older release, which noted none, where its log is.
    let all: [String]

    init(in base: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: base)) ?? []
        all = names.sorted().compactMap { name in
            let state = "\(base)/\(name)"
            // A bridge's, which is found by its containers.
            if files.fileExists(atPath: "\(state)/journal.sqlite") { return nil }
            guard files.fileExists(atPath: "\(state)/\(Self.logs)") else { return nil }
            guard let path = files.contents(atPath: "\(state)/\(Self.name)") else {
                return "one with its log in \(state)"
            }
            return String(decoding: path, as: UTF8.self)
        }
    }

    /// Where it cannot be noted, neither can what is done to its documents.
    static func note(_ directory: String, in state: String) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open("\(state)/\(name)", flags, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(directory.utf8)
        unsafe _ = write(file, bytes, bytes.count)
    }
}
