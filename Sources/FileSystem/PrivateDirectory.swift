internal import CLinux
internal import Glibc
import Model

/// A directory with documents that only its user may read.
package enum PrivateDirectory {
    package enum Refusal: Error, Hashable, Sendable {
        case foreign(owner: UInt32)
        /// Other users can replace the directory or one above it: everybody, or the owner of the directory
        /// that contains it.
        case exposed(in: String, owner: UInt32?)
        case system(errno: Int32)
    }

    /// Removes the rights of all other users from the directory and from these files in it.
    package static func protect(_ path: String, files: [String]) throws(Refusal) {
        let refusal: Refusal?
        do {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let opened = try retried { unsafe Glibc.open(path, flags) }
            defer { _ = Glibc.close(opened) }
            let own = try Status(of: opened)
            refusal = try own.owner == geteuid() ? exposure(of: opened, own) : .foreign(owner: own.owner)
            if refusal == nil {
                if own.mode & 0o077 != 0 { _ = try retried { fchmod(opened, own.mode & 0o700) } }
                for name in files { try protect(name, in: opened) }
            }
        } catch {
            throw .system(errno: error.code)
        }
        if let refusal { throw refusal }
    }

    /// Throws what `protect` would throw, and returns the rights of other users, which it would remove.
    package static func examine(_ path: String) throws(Refusal) -> UInt32 {
        let refusal: Refusal?
        let rights: UInt32
        do throws(Errno) {
            let flags = linux_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let opened = try retried { unsafe Glibc.open(path, flags) }
            defer { _ = Glibc.close(opened) }
            let own = try Status(of: opened)
            refusal = try own.owner == geteuid() ? exposure(of: opened, own) : .foreign(owner: own.owner)
            rights = own.mode & 0o077
        } catch {
            throw .system(errno: error.code)
        }
        if let refusal { throw refusal }
        return rights
    }

    /// Checks every directory up to the root of the file system, with links resolved.
    private static func exposure(of directory: Int32, _ status: Status) throws(Errno) -> Refusal? {
        var below = status
        var current = try above(directory)
        defer { _ = Glibc.close(current) }
        while true {
            let here = try Status(of: current)
            if here.device == below.device, here.inode == below.inode { return nil }
            if let refusal = exposure(in: here, current) { return refusal }
            let next = try above(current)
            _ = Glibc.close(current)
            (current, below) = (next, here)
        }
    }

    private static func above(_ directory: Int32) throws(Errno) -> Int32 {
        try retried { unsafe openat(directory, "..", linux_o_path | O_DIRECTORY | O_CLOEXEC) }
    }

    /// A sticky bit keeps others from renaming files that are not theirs, except the directory's owner. Group
    /// rights are accepted: on many systems the group is the user's own.
    private static func exposure(in directory: Status, _ descriptor: Int32) -> Refusal? {
        if !isTrusted(directory.owner) {
            return .exposed(in: name(of: descriptor), owner: directory.owner)
        }
        return directory.mode & 0o1002 == 0o002 ? .exposed(in: name(of: descriptor), owner: nil) : nil
    }

    /// Within a user namespace, root may be an unmapped user.
    private static func isTrusted(_ owner: UInt32) -> Bool {
        owner == 0 || owner == geteuid() || (owner == unknownUser && !knowsAllUsers)
    }

    private static var unknownUser: UInt32? {
        words(at: "/proc/sys/kernel/overflowuid").flatMap { $0.first.flatMap { UInt32($0) } }
    }

    private static var knowsAllUsers: Bool {
        words(at: "/proc/self/uid_map").map { $0 == ["0", "0", "4294967295"] } ?? true
    }

    private static func words(at path: String) -> [Substring]? {
        SmallFile.text(at: path)?.split { $0.isWhitespace }
    }

    private static func name(of descriptor: Int32) -> String {
        SmallFile.target(ofLink: "/proc/self/fd/\(descriptor)") ?? ""
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
