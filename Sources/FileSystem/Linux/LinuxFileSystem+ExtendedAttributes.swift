internal import CLinux
internal import Glibc
internal import Model

extension LinuxFileSystem {
    /// Called for every change, and nearly always false: one system call, where the kernel has it.
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
            // The list does not fit the buffer; or the kernel is older than 6.13, or a seccomp filter rejects
            // an unknown call.
            case ERANGE, ENOSYS, EPERM: return true
            default: throw error
            }
        }
    }

    /// Does not open the source: programs that watch it would see that as a read.
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

/// The attributes that a document takes over: the `user.` ones and the access control list (POSIX 1003.1e). A
/// name is stored as the kernel returns it, with the terminating zero.
enum ExtendedAttributes {
    struct One {
        var name: [CChar]
        var value: [UInt8]

        var isAccessList: Bool { name == accessList }

        /// `false` where the file system, or the process's rights, do not allow it.
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

        /// The rights of the owning group: its own entry limited by the mask, as three bits. `nil` if the
        /// bytes are not such a list.
        var groupRights: UInt32? {
            func number(_ offset: Int) -> UInt32 { UInt32(value[offset]) | UInt32(value[offset + 1]) << 8 }
            let (ownGroup, mask): (UInt32, UInt32) = (0x04, 0x10)
            guard value.count >= 4, (value.count - 4) % 8 == 0, number(0) == 2 else { return nil }
            var rights: [UInt32: UInt32] = [:]
            for offset in stride(from: 4, to: value.count, by: 8) {
                rights[number(offset)] = number(offset + 2) & 7
            }
            return rights[ownGroup].map { $0 & (rights[mask] ?? 7) }
        }
    }

    static let accessList = Array("system.posix_acl_access".utf8CString)
    /// The default list that new entries of a directory get.
    static let defaultList = Array("system.posix_acl_default".utf8CString)

    static func copied(_ list: [CChar]) -> [[CChar]] {
        separate(list).filter {
            ($0.starts(with: prefix) && !own.contains($0)) || $0 == accessList
        }
    }

    private static let prefix = "user.".utf8.map { CChar($0) }
    private static let own = OwnAttribute.all.map { Array("user.\($0)".utf8CString) }
    /// Belongs to one published file only.
    private static let publicationMark = Array("user.\(OwnAttribute.publication)".utf8CString)

    /// Set on files in the trash.
    static let rights = Array("user.\(OwnAttribute.rights)".utf8CString)

    static func makePrivate(_ held: Int32) throws(Errno) {
        let path = path(of: held)
        _ = try retried { unsafe chmod(path, KeptRights.modeInTrash) }
    }

    /// Removes the publication mark, which is for another path; both attributes would also need a block of
    /// their own. `own` are the file's own rights. Nothing is stored where they are the same.
    static func replaceRights(
        _ own: KeptRights,
        of held: Int32,
        by kept: KeptRights,
        among names: [[CChar]]
    ) throws(Errno) {
        let path = path(of: held)
        if names.contains(publicationMark) { unsafe _ = removexattr(path, publicationMark) }
        if own == kept, kept.isOfTrash {
            // The attribute that is there was not stored by the bridge.
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

    /// Includes the bridge's own attributes. Empty where a file system has none.
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

    /// Checks first: there is nearly never one, and checking is cheaper than removing.
    static func removeAccessList(of descriptor: Int32) throws(Errno) {
        do {
            _ = try retried { unsafe fgetxattr(descriptor, accessList, nil, 0) }
            _ = try retried { unsafe fremovexattr(descriptor, accessList) }
        } catch {
            if ![ENODATA, EOPNOTSUPP].contains(error.code) { throw error }
        }
    }

    /// A descriptor opened with `O_PATH` has no attributes; its path in `/proc` has.
    private static func path(of held: Int32) -> String { "/proc/self/fd/\(held)" }

    static func names(of held: Int32) throws(Errno) -> [[CChar]] {
        let path = path(of: held)
        return copied(
            try unsafe sized { room, count in unsafe listxattr(path, room, count) }
        )
    }

    /// `nil` if the attribute is not set, or was removed meanwhile.
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

    /// Asks for the size, then for the bytes, until the two match.
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
