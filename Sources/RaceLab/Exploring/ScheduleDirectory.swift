import Glibc
import Model

/// A directory with a saved schedule or race in each `*.json` file.
package struct ScheduleDirectory {
    /// One of its files.
    package enum File: Sendable, Hashable {
        case path(String)
        /// The name is not UTF-8, so no path can have it; the bytes that are not printable are escaped.
        case notUTF8(String)
    }

    /// It cannot be listed.
    package struct ListingError: Error, CustomStringConvertible {
        package let path: String
        package let errno: Int32

        package var description: String { "cannot list \(path): \(systemMessage(errno))" }
    }

    package let path: String

    package init(path: String) { self.path = path }

    /// Its files without hidden ones, by name; those of subdirectories are not among them. None if there is
    /// no directory yet.
    package func files() throws(ListingError) -> [File] {
        let top = path.hasSuffix("/") ? path : "\(path)/"
        return try names().filter { $0.hasSuffix(".json") && $0.first != UInt8(ascii: ".") }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { name in
                String(validating: name, as: UTF8.self).map { .path(top + $0) }
                    ?? .notUTF8(top + escaped(name))
            }
    }

    private func names() throws(ListingError) -> [[UInt8]] {
        guard let stream = unsafe opendir(path) else {
            if errno == ENOENT { return [] }
            throw ListingError(path: path, errno: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            )
        }
        return names
    }

    package static func text(of file: File) throws(RaceReplayError) -> String {
        switch file {
        case .notUTF8(let name): throw .notASchedule("the name of \(name) is not UTF-8; rename it")
        case .path(let path):
            guard let bytes = RealTree.read(path) else { throw .notASchedule("cannot read \(path)") }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Saves what was found, in a file whose name is the same for the same find.
    ///
    /// - Returns: its path; `nil` if it cannot be written.
    package func save(_ found: RaceFound) -> String? {
        unsafe mkdir(path, 0o755)
        let file = "\(path)/\(found.name).json"
        let new = "\(path)/.new-\(getpid())-\(found.name)"
        guard RealTree.write(Array(found.schedule.utf8), to: new), unsafe rename(new, file) == 0 else {
            return nil
        }
        return file
    }
}

extension ScheduleDirectory.File: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path(let path): path
        case .notUTF8(let name): name
        }
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ end: String) -> Bool { suffix(end.utf8.count).elementsEqual(end.utf8) }
}
