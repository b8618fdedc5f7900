internal import CLinux
internal import Glibc
package import Model

extension LinuxFileSystem {
    package func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        let kind = try within(source, .find, .attributes) { directory, name throws(Errno) in
            let status = try Status(of: name, in: directory)
            guard status.kind == .regular else { return status.kind }
            var attributes: [ExtendedAttributes.One] = []
            if try hasAttributes(name, in: directory) {
                attributes = try self.attributes(of: name, in: directory)
            }
            // A file that replaces another gets that file's rights, not the defaults of its directory.
            let isReplacement = source.root == handle.file.root
            var rights = KeptRights(status, attributes.first { $0.isAccessList })
            if source.root == .state, let kept = try keptRights(of: name, in: directory) { rights = kept }
            try Self.copy(rights, to: handle.descriptor, dropsInherited: isReplacement)
            for attribute in attributes where !attribute.isAccessList {
                _ = try attribute.set(on: handle.descriptor)
            }
            return .regular
        }
        guard kind == .regular else { throw .notRegular(source, kind) }
    }

    package func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        guard let path = directory.path else { throw .directory(errno: EINVAL, .attributes, directory) }
        let held = try held(source)
        defer { _ = Glibc.close(held) }
        do {
            let root = root(directory.root).descriptor
            let opened = try open(path.description, beneath: root, O_RDONLY | O_DIRECTORY)
            defer { _ = Glibc.close(opened) }
            let lists = try ExtendedAttributes.accessLists(of: held)
            let access = lists.first { $0.name == ExtendedAttributes.accessList }
            try Self.copy(KeptRights(Status(of: held), access), to: opened, dropsInherited: false)
            for list in lists where list.name != ExtendedAttributes.accessList {
                _ = try list.set(on: opened)
            }
        } catch {
            throw FileError(directory: error, .attributes, directory)
        }
    }

    private func held(_ directory: Directory) throws(FileError) -> Int32 {
        let root = root(directory.root).descriptor
        do {
            return try open(directory.path?.description ?? ".", beneath: root, linux_o_path | O_DIRECTORY)
        } catch {
            throw FileError(directory: error, .attributes, directory)
        }
    }

    package func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        do {
            try ExtendedAttributes.set(name, value, of: handle.descriptor)
        } catch {
            throw FileError(error, .attributes, handle.file)
        }
    }

    package func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        do {
            return try ExtendedAttributes.value(of: name, ofOpen: handle.descriptor)
        } catch {
            if error.code == EOPNOTSUPP { return nil }
            throw FileError(error, .read, handle.file)
        }
    }

    package func setDefaultMode(of handle: Handle) throws(FileError) {
        do {
            _ = try retried { fchmod(handle.descriptor, 0o666 & ~Self.mask) }
        } catch {
            throw FileError(error, .attributes, handle.file)
        }
    }

    /// The mask for new files of this process. `umask` cannot be read without a moment in which other threads
    /// have another one.
    private static let mask: mode_t = {
        let opened = unsafe Glibc.open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return 0o077 }
        defer { _ = Glibc.close(opened) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(opened, $0.baseAddress, $0.count)
        }
        let lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
        let mask = lines.first { $0.hasPrefix("Umask:") }?.split(separator: "\t").last
        return mask.flatMap { mode_t($0, radix: 8) } ?? 0o077
    }()

    package func makeReadOnly(_ handle: Handle) throws(FileError) {
        do {
            let mode = try Status(of: handle.descriptor).mode & ~0o222
            _ = try retried { fchmod(handle.descriptor, mode) }
        } catch {
            throw FileError(error, .attributes, handle.file)
        }
    }

    /// Sets the owner first, as changing it clears the set-id bits. Those are not copied to a file with
    /// another owner, to whom they would grant rights that the original did not grant. Another group gets no
    /// more rights than everybody had.
    ///
    /// Where there is an access control list, the group bits of the mode are its mask, not the group's
    /// rights, so the list is copied before the mode.
    private static func copy(
        _ model: KeptRights,
        to descriptor: Int32,
        dropsInherited: Bool
    ) throws(Errno) {
        let own = try Status(of: descriptor)
        var isSameOwner = own.owner == model.owner && own.group == model.ownerGroup
        var isSameGroup = own.group == model.ownerGroup
        if !isSameOwner {
            isSameOwner = try permitted { fchown(descriptor, model.owner, model.ownerGroup) }
            isSameGroup = isSameGroup || isSameOwner
            // The process may still be in this group.
            if !isSameGroup {
                isSameGroup = try permitted { fchown(descriptor, uid_t.max, model.ownerGroup) }
            }
        }
        var wanted = isSameOwner ? model.mode : model.mode & 0o1777
        var hasList = false
        if !model.list.isEmpty {
            let list = ExtendedAttributes.One(name: ExtendedAttributes.accessList, value: model.list)
            if isSameGroup { hasList = try list.set(on: descriptor) }
            if !hasList { wanted = wanted & ~0o070 | (list.groupRights ?? 0) << 3 & wanted }
        }
        if !isSameGroup { wanted &= ~0o070 | (wanted & 0o007) << 3 }
        if !hasList, dropsInherited { try ExtendedAttributes.removeAccessList(of: descriptor) }
        if try Status(of: descriptor).mode != wanted { _ = try retried { fchmod(descriptor, wanted) } }
    }

    private static func permitted(_ call: () -> Int32) throws(Errno) -> Bool {
        do {
            _ = try retried(call)
            return true
        } catch {
            // EINVAL: this user namespace has no mapping for the owner.
            guard [EPERM, EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
            return false
        }
    }

    package func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        do {
            return try ExtendedAttributes.value(of: "user." + name, at: self.root(root).path)
        } catch {
            if error.code == EOPNOTSUPP { return nil }
            throw FileError(directory: error, .stat, Directory(root))
        }
    }

    package func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        let descriptor = self.root(root).descriptor
        do {
            try ExtendedAttributes.add("user." + name, value, to: descriptor)
            _ = try retried { fsync(descriptor) }
        } catch {
            throw FileError(directory: error, .attributes, Directory(root))
        }
    }
}
