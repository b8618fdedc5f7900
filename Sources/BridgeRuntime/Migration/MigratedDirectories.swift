import Foundation
import Glibc

/// The directories with logs below a parent of state directories. A state directory is found by the hash of
/// its directory's path, so after a rename the old path must be shown.
struct MigratedDirectories {
    private static let name = "directory"
    private static let logs = "migrations"

    /// Their paths; for a directory of an older release, which did not store it, the path of its log.
    let all: [String]

    init(in base: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: base)) ?? []
        all = names.sorted().compactMap { name in
            let state = "\(base)/\(name)"
            // The state directory of a bridge, which is found by its containers.
            if files.fileExists(atPath: "\(state)/journal.sqlite") { return nil }
            guard files.fileExists(atPath: "\(state)/\(Self.logs)") else { return nil }
            guard let path = files.contents(atPath: "\(state)/\(Self.name)") else {
                return "one with its log in \(state)"
            }
            return String(decoding: path, as: UTF8.self)
        }
    }

    /// If this fails, so does the log of the migration.
    static func record(_ directory: String, in state: String) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open("\(state)/\(name)", flags, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(directory.utf8)
        unsafe _ = write(file, bytes, bytes.count)
    }
}
