internal import CLinux
internal import Glibc

/// A directory in which documents lie that nobody but its user may read.
package enum PrivateDirectory {
    package enum Refusal: Error, Hashable, Sendable {
        case foreign(owner: UInt32)
        /// Everybody may put another directory in its place.
        case exposed
        case system(errno: Int32)
    }

    /// Takes everybody else's rights away, of the directory and of the files in it that have these names.
    package static func protect(_ path: String, files: [String]) throws(Refusal) {
        let refusal: Refusal?
        do {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let opened = try retried { unsafe Glibc.open(path, flags) }
            defer { _ = Glibc.close(opened) }
            let own = try Status(of: opened)
            refusal = try self.refusal(of: own, above: Status(of: "..", in: opened))
            if refusal == nil {
                if own.mode & 0o077 != 0 { _ = try retried { fchmod(opened, own.mode & 0o700) } }
                for name in files { try protect(name, in: opened) }
            }
        } catch {
            throw .system(errno: error.code)
        }
        if let refusal { throw refusal }
    }

    private static func refusal(of own: Status, above: Status) -> Refusal? {
        if own.owner != geteuid() { return .foreign(owner: own.owner) }
        return above.mode & 0o1002 == 0o002 ? .exposed : nil
    }

    private static func protect(_ name: String, in directory: Int32) throws(Errno) {
        do {
            let status = try Status(of: name, in: directory)
            guard status.kind == .regular, status.mode & 0o077 != 0 else { return }
            _ = try retried { unsafe fchmodat(directory, name, status.mode & 0o700, 0) }
        } catch {
            if error.code != ENOENT { throw error }
        }
    }
}
