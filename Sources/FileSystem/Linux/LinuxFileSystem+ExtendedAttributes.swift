internal import CLinux
internal import Glibc
internal import Model

extension LinuxFileSystem {
    /// On the way of every change, and nearly always the answer is no: one call, where the kernel has it.
    func hasAttributes(_ name: String, in directory: Int32) throws(Errno) -> Bool {
        let room = 4096
        do {
            return try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) {
                list throws(Errno) in
                let count = try retried { unsafe linux_listxattrat(directory, name, list.baseAddress, room) }
                return unsafe !ExtendedAttributes.copied(Array(list[..<count])).isEmpty
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
    func attributes(of name: String, in directory: Int32) throws(Errno) -> [ExtendedAttributes.One] {
        let held = try retried { unsafe openat(directory, name, linux_o_path | O_NOFOLLOW | O_CLOEXEC) }
        defer { _ = Glibc.close(held) }
        var attributes: [ExtendedAttributes.One] = []
        do {
            for name in try ExtendedAttributes.names(of: held) {
                guard let value = try ExtendedAttributes.value(of: name, of: held) else { continue }
                attributes.append(ExtendedAttributes.One(name: name, value: value))
            }
        } catch {
            if error.code != EOPNOTSUPP { throw error }
        }
        return attributes
    }
}

/// Those that a document takes over: the `user.` ones, and who may do what with it (POSIX 1003.1e). A name is
/// kept as the kernel gives it, with the zero at its end.
enum ExtendedAttributes {
    struct One {
        var name: [CChar]
        var value: [UInt8]

        var isAccessList: Bool { name == accessList }

        /// `false` where the file system, or our rights, do not allow it.
        func set(on descriptor: Int32) throws(Errno) -> Bool {
            do {
                _ = try retried { unsafe fsetxattr(descriptor, name, value, value.count, 0) }
                return true
            } catch {
                let isList = name == accessList || name == defaultList
                if error.code == EOPNOTSUPP || isList && [EPERM, EINVAL].contains(error.code) {
                    return false
                }
                throw error
            }
        }

        /// What the owning group may do: its own entry as far as the mask lets it, as three bits. `nil` where
        /// it is no such list.
        var groupRights: UInt32? {
            func number(_ place: Int) -> UInt32 { UInt32(value[place]) | UInt32(value[place + 1]) << 8 }
            let (ownGroup, mask): (UInt32, UInt32) = (0x04, 0x10)
            guard value.count >= 4, (value.count - 4) % 8 == 0, number(0) == 2 else { return nil }
            var rights: [UInt32: UInt32] = [:]
            for place in stride(from: 4, to: value.count, by: 8) {
                rights[number(place)] = number(place + 2) & 7
            }
            return rights[ownGroup].map { $0 & (rights[mask] ?? 7) }
        }
    }

    static let accessList = Array("system.posix_acl_access".utf8CString)
    /// What a directory gives to what is made in it.
    static let defaultList = Array("system.posix_acl_default".utf8CString)

    static func copied(_ list: [CChar]) -> [[CChar]] {
        separate(list).filter {
            ($0.starts(with: prefix) && $0 != publicationMark && $0 != rights) || $0 == accessList
        }
    }

    private static let prefix = "user.".utf8.map { CChar($0) }
    /// Of no other file than the one that was published.
    private static let publicationMark = Array("user.\(OwnAttribute.publication)".utf8CString)

    /// Of a file in the trash.
    static let rights = Array("user.\(OwnAttribute.rights)".utf8CString)

    static func makePrivate(_ held: Int32) throws(Errno) {
        let path = path(of: held)
        _ = try retried { unsafe chmod(path, KeptRights.modeInTrash) }
    }

    /// The mark goes, for it is of another place, and the two would take a block of their own. `own`: what
    /// the file had by itself. Where that says the same, nothing is noted.
    static func replaceRights(
        _ own: KeptRights,
        of held: Int32,
        by kept: KeptRights,
        among names: [[CChar]]
    ) throws(Errno) {
        let path = path(of: held)
        if names.contains(publicationMark) { unsafe _ = removexattr(path, publicationMark) }
        if own == kept, kept.isOfTrash {
            // What stands there is nothing that the bridge has noted.
            if names.contains(rights) { unsafe _ = removexattr(path, rights) }
            return
        }
        let bytes = kept.bytes
        do {
            _ = try retried { unsafe setxattr(path, rights, bytes, bytes.count, 0) }
        } catch {
            if names.contains(rights) { unsafe _ = removexattr(path, rights) }
            throw error
        }
        if names.contains(accessList) { unsafe _ = removexattr(path, accessList) }
    }

    /// Also those that are nobody's but the bridge's. None where a file system has no attributes.
    static func allNames(of held: Int32) throws(Errno) -> [[CChar]] {
        let (path, room) = (path(of: held), 1024)
        do {
            return try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) {
                list throws(Errno) in
                let count = try retried { unsafe listxattr(path, list.baseAddress, room) }
                return unsafe separate(Array(list[..<count]))
            }
        } catch {
            switch error.code {
            case EOPNOTSUPP: return []
            case ERANGE: return separate(try unsafe sized { unsafe listxattr(path, $0, $1) })
            default: throw error
            }
        }
    }

    private static func separate(_ list: [CChar]) -> [[CChar]] {
        list.split(separator: 0).map { Array($0) + [0] }
    }

    static func accessLists(of held: Int32) throws(Errno) -> [One] {
        var lists: [One] = []
        for name in [accessList, defaultList] {
            do {
                if let value = try value(of: name, of: held) { lists.append(One(name: name, value: value)) }
            } catch {
                if error.code != EOPNOTSUPP { throw error }
            }
        }
        return lists
    }

    /// Nearly always there is none, and to ask is cheaper than to remove it.
    static func removeAccessList(of descriptor: Int32) throws(Errno) {
        do {
            _ = try retried { unsafe fgetxattr(descriptor, accessList, nil, 0) }
            _ = try retried { unsafe fremovexattr(descriptor, accessList) }
        } catch {
            if ![ENODATA, EOPNOTSUPP].contains(error.code) { throw error }
        }
    }

    /// A descriptor taken by `O_PATH` has no attributes of its own; its path beneath `/proc` has.
    private static func path(of held: Int32) -> String { "/proc/self/fd/\(held)" }

    static func names(of held: Int32) throws(Errno) -> [[CChar]] {
        let path = path(of: held)
        return copied(
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

    static func value(of name: String, ofOpen descriptor: Int32) throws(Errno) -> [UInt8]? {
        let name = "user." + name
        return try present { () throws(Errno) in
            try unsafe sized { (room: UnsafeMutablePointer<UInt8>?, count) in
                unsafe fgetxattr(descriptor, name, room, count)
            }
        }
    }

    static func set(_ name: String, _ value: [UInt8], of descriptor: Int32) throws(Errno) {
        let name = "user." + name
        _ = try retried { unsafe fsetxattr(descriptor, name, value, value.count, 0) }
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
