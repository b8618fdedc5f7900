internal import CLinux
internal import Glibc
internal import Reconciliation

extension LinuxFileSystem {
    /// On the way of every change, and nearly always the answer is no: one call, where the kernel has it.
    func hasUserAttributes(_ name: String, in directory: Int32) throws(Errno) -> Bool {
        let room = 4096
        do {
            return try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) {
                list throws(Errno) in
                let count = try retried { unsafe linux_listxattrat(directory, name, list.baseAddress, room) }
                return unsafe !ExtendedAttributes.users(Array(list[..<count])).isEmpty
            }
        } catch {
            switch error.code {
            case EOPNOTSUPP: return false
            // Too many for the room; or the kernel is older than 6.13, or a filter forbids what it does not
            // know.
            case ERANGE, ENOSYS, EPERM: return true
            default: throw error
            }
        }
    }

    /// Without opening the source, which would look like somebody's reading it to whoever watches it.
    func copyUserAttributes(of name: String, in directory: Int32, to target: Int32) throws(Errno) {
        let held = try retried { unsafe openat(directory, name, linux_o_path | O_NOFOLLOW | O_CLOEXEC) }
        defer { _ = Glibc.close(held) }
        let names: [[CChar]]
        do {
            names = try ExtendedAttributes.names(of: held)
        } catch {
            if error.code == EOPNOTSUPP { return }
            throw error
        }
        for name in names {
            guard let value = try ExtendedAttributes.value(of: name, of: held) else { continue }
            do {
                _ = try retried { unsafe fsetxattr(target, name, value, value.count, 0) }
            } catch {
                if error.code != EOPNOTSUPP { throw error }
            }
        }
    }
}

/// The `user.` ones; a name is kept as the kernel gives it, with the zero at its end.
enum ExtendedAttributes {
    static func users(_ list: [CChar]) -> [[CChar]] {
        list.split(separator: 0).filter { $0.starts(with: prefix) }.map { Array($0) + [0] }
    }

    private static let prefix = "user.".utf8.map { CChar($0) }

    /// A descriptor taken by `O_PATH` has no attributes of its own; its path beneath `/proc` has.
    private static func path(of held: Int32) -> String { "/proc/self/fd/\(held)" }

    static func names(of held: Int32) throws(Errno) -> [[CChar]] {
        let path = path(of: held)
        return users(
            try unsafe sized { room, count in unsafe listxattr(path, room, count) }
        )
    }

    /// `nil` where it is not there, or not any more.
    static func value(of name: [CChar], of held: Int32) throws(Errno) -> [UInt8]? {
        let path = path(of: held)
        return try present { () throws(Errno) in
            try unsafe sized { (room: UnsafeMutablePointer<UInt8>?, count) in
                unsafe getxattr(path, name, room, count)
            }
        }
    }

    static func value(of name: String, at path: String) throws(Errno) -> [UInt8]? {
        try present { () throws(Errno) in
            try unsafe sized { (room: UnsafeMutablePointer<UInt8>?, count) in
                unsafe getxattr(path, name, room, count)
            }
        }
    }

    static func add(_ name: String, _ value: [UInt8], to descriptor: Int32) throws(Errno) {
        let mustBeNew = Int32(XATTR_CREATE)
        _ = try retried { unsafe fsetxattr(descriptor, name, value, value.count, mustBeNew) }
    }

    private static func present(_ value: () throws(Errno) -> [UInt8]) throws(Errno) -> [UInt8]? {
        do {
            return try value()
        } catch {
            if error.code == ENODATA { return nil }
            throw error
        }
    }

    /// Asks for the size, then for the bytes, until both belong together.
    private static func sized<Element>(
        _ call: (UnsafeMutablePointer<Element>?, Int) -> Int
    ) throws(Errno) -> [Element] {
        while true {
            let size = try retried { call(nil, 0) }
            if size == 0 { return [] }
            var failure: Errno?
            let bytes = unsafe [Element](unsafeUninitializedCapacity: size) { room, count in
                do throws(Errno) {
                    count = try retried { unsafe call(room.baseAddress, size) }
                } catch {
                    count = 0
                    failure = error
                }
            }
            guard let failure else { return bytes }
            if failure.code != ERANGE { throw failure }
        }
    }
}
