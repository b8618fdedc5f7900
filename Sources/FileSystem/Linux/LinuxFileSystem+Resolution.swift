internal import CLinux
internal import Glibc
internal import Model

extension LinuxFileSystem {
    /// How paths are kept below their root and away from symbolic links.
    package enum Resolution: Sendable, Hashable, CaseIterable {
        /// The kernel does it in one call: `openat2` (5.6 and later).
        case kernel
        /// Each part is opened in turn, without following links.
        case stepwise

        /// A container's seccomp filter may also reject `openat2`, with `EPERM`.
        static func offered(beneath directory: Int32) -> Resolution {
            let flags = UInt64(linux_o_path | O_DIRECTORY | O_CLOEXEC)
            do {
                _ = Glibc.close(try retried { unsafe linux_openat2(directory, ".", flags, 0) })
                return .kernel
            } catch {
                return [ENOSYS, EPERM].contains(error.code) ? .stepwise : .kernel
            }
        }
    }

    /// What a method does with a name; it decides which error a missing directory gives.
    package enum Purpose {
        /// Uses an existing entry: if the directory is missing, so is the entry.
        case find
        /// Creates an entry: without the directory that is impossible.
        case put
    }

    /// Calls `body` with the directory of `file`, and the last part of its name.
    func within<Result>(
        _ file: Location,
        _ purpose: Purpose,
        _ call: SystemCall,
        _ body: (Int32, String) throws(Errno) -> Result
    ) throws(FileError) -> Result {
        do {
            let parent = try parent(of: file)
            defer { release(parent, file) }
            return try body(parent, file.path.name)
        } catch {
            if purpose == .put && error.code == ENOENT { throw .noDirectory(file.directory) }
            throw FileError(error, call, file)
        }
    }

    /// The same for two names. The kernel returns one error for both; which name it is about is found out
    /// afterwards, as far as possible.
    func between(
        _ from: Location,
        _ to: Location,
        _ call: SystemCall,
        _ body: (Int32, String, Int32, String) throws(Errno) -> Void
    ) throws(FileError) {
        var failure: FileError?
        try within(from, .find, call) { source, name throws(Errno) in
            do throws(FileError) {
                try within(to, .put, call) { target, newName throws(Errno) in
                    do throws(Errno) {
                        try body(source, name, target, newName)
                    } catch {
                        let isThere = (try? Status(of: name, in: source)) != nil
                        let hasPlace = ((try? Status(of: target))?.links ?? 0) > 0
                        failure = moving(error, call, from, to, isThere, hasPlace)
                    }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func moving(
        _ error: Errno,
        _ call: SystemCall,
        _ from: Location,
        _ to: Location,
        _ isThere: Bool,
        _ hasPlace: Bool
    ) -> FileError {
        switch error.code {
        case ENOENT where !isThere: .missing(from)
        case ENOENT where !hasPlace: .noDirectory(to.directory)
        case EINVAL: .unsupported(call, to)
        case EPERM where call == .link: .unsupported(call, to)
        // The directories were opened as directories, so the error is about the files themselves.
        case ENOTDIR: .system(errno: ENOTDIR, call, to)
        default: FileError(error, call, to)
        }
    }

    /// The caller must release it: it is the root's own descriptor, or one for this call.
    func parent(of file: Location) throws(Errno) -> Int32 {
        let root = root(file.root).descriptor
        guard let directory = file.path.directory else { return root }
        return try open(directory.description, beneath: root, linux_o_path | O_DIRECTORY)
    }

    func release(_ parent: Int32, _ file: Location) {
        if parent != root(file.root).descriptor { _ = Glibc.close(parent) }
    }

    /// Opens `path`, which has no `..`, without following a symbolic link. With `O_PATH | O_NOFOLLOW`, a link
    /// at its end is opened itself.
    func open(_ path: String, beneath root: Int32, _ flags: Int32) throws(Errno) -> Int32 {
        let flags = flags | O_CLOEXEC
        switch resolution {
        case .kernel:
            return try retried { unsafe linux_openat2(root, path, UInt64(flags), 0) }
        case .stepwise:
            return try openStepwise(path, beneath: root, flags)
        }
    }

    private func openStepwise(_ path: String, beneath root: Int32, _ flags: Int32) throws(Errno) -> Int32 {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        var directory = root
        defer { if directory != root { _ = Glibc.close(directory) } }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let step = isLast ? flags | O_NOFOLLOW : linux_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let next: Int32
            do {
                next = try retried { unsafe openat(directory, part, step) }
            } catch {
                // Distinguishes a link from another entry that is not a directory, as `openat2` does.
                guard error.code == ENOTDIR, let found = try? Status(of: part, in: directory) else {
                    throw error
                }
                throw Errno(code: found.kind == .symbolicLink ? ELOOP : ENOTDIR)
            }
            if isLast { return next }
            if directory != root { _ = Glibc.close(directory) }
            directory = next
        }
        throw Errno(code: ENOENT)
    }
}
