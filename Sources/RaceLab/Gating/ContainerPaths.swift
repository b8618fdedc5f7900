import CLinux
import Glibc
package import Model

/// The two containers by their real paths.
package struct ContainerPaths: Sendable {
    private let paths: BothSides<String>

    package init(_ paths: BothSides<String>) {
        self.paths = paths.map { path in
            guard let real = unsafe realpath(path, nil) else { return path }
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
    }

    /// `app/budget.json` for a real path beneath the app's container; `nil` for one outside both.
    package func name(of path: String?) -> String? {
        guard var path else { return nil }
        if Self.isReplaced(path) { path.removeLast(Self.replaced.utf8.count) }
        for side in Side.allCases {
            if path == paths[side] { return side.rawValue }
            if path.hasPrefix(paths[side] + "/") { return side.rawValue + path.dropFirst(paths[side].count) }
        }
        return nil
    }

    /// The names in the containers of a file that has more than one name.
    ///
    /// - Parameter path: a path to it, which may be one of the kernel's links.
    func names(ofLinked path: String) -> [String] {
        var file = stat()
        guard unsafe stat(path, &file) == 0, file.st_nlink > 1, file.st_mode & S_IFMT == S_IFREG else {
            return []
        }
        return Side.allCases.flatMap { side in
            // A file system has no links to another one.
            var directory = stat()
            guard unsafe stat(paths[side], &directory) == 0, directory.st_dev == file.st_dev else {
                return [String]()
            }
            return RealTree.files(beneath: paths[side]).compactMap { path in
                var other = stat()
                guard unsafe lstat(path, &other) == 0, other.st_ino == file.st_ino else { return nil }
                return name(of: path)
            }
        }
    }

    private static let replaced = " (deleted)"

    /// The kernel says so of a file that has no name any more, but is open.
    static func isReplaced(_ path: String) -> Bool { path.hasSuffix(replaced) }

    /// The files in both with their contents.
    package func files() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for side in Side.allCases {
            for path in RealTree.files(beneath: paths[side]) {
                if let name = name(of: path) { files[name] = RealTree.read(path) ?? [] }
            }
        }
        return files
    }
}

/// Where a path of another process leads.
enum RealPath {
    /// The kernel's own way: a descriptor that opens nothing, and where that is. It raises no event, and it
    /// resolves links and directories as the process would.
    ///
    /// - Parameters:
    ///   - path: the bytes that the process has given.
    ///   - start: where it begins: a link of the process in `/proc`.
    ///   - follows: whether a link at its end is followed.
    static func of(_ path: [UInt8], from start: String, follows: Bool) -> String? {
        var whole = Array(start.utf8) + path
        while whole.last == UInt8(ascii: "/"), whole.count > start.utf8.count { whole.removeLast() }
        if follows, let found = opened(whole, O_CLOEXEC) { return found }
        // It may not be there yet, or the call is about the name itself.
        guard let slash = whole.lastIndex(of: UInt8(ascii: "/")), slash + 1 < whole.count else {
            return opened(whole, O_CLOEXEC)
        }
        guard let parent = opened(Array(whole[...slash]), O_CLOEXEC | O_DIRECTORY) else { return nil }
        return "\(parent)/\(String(decoding: whole[(slash + 1)...], as: UTF8.self))"
    }

    private static func opened(_ path: [UInt8], _ flags: Int32) -> String? {
        let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], linux_o_path | flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return link("/proc/self/fd/\(descriptor)")
    }

    /// What a symbolic link contains.
    static func link(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
