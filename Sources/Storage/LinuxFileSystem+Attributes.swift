internal import CLinux
internal import Glibc
internal import Reconciliation

extension LinuxFileSystem {
    package func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        let kind = try within(source, .find, .attributes) { directory, name throws(Errno) in
            let model = try Status(of: name, in: directory)
            guard model.kind == .regular else { return model.kind }
            try Self.copy(
                owner: model.owner,
                group: model.group,
                mode: model.mode,
                to: handle.descriptor
            )
            if try hasUserAttributes(name, in: directory) {
                try copyUserAttributes(of: name, in: directory, to: handle.descriptor)
            }
            return .regular
        }
        guard kind == .regular else { throw .notRegular(source, kind) }
    }

    package func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        let model = try status(of: source)
        guard let path = directory.path else { throw .directory(errno: EINVAL, .attributes, directory) }
        let root = root(directory.root).descriptor
        do {
            let opened = try open(path.description, beneath: root, O_RDONLY | O_DIRECTORY)
            defer { _ = Glibc.close(opened) }
            try Self.copy(owner: model.owner, group: model.ownerGroup, mode: model.mode, to: opened)
        } catch {
            throw FileError(directory: error, .attributes, directory)
        }
    }

    package func makeReadOnly(_ handle: Handle) throws(FileError) {
        do {
            let mode = try Status(of: handle.descriptor).mode & ~0o222
            _ = try retried { fchmod(handle.descriptor, mode) }
        } catch {
            throw FileError(error, .attributes, handle.file)
        }
    }

    /// The owner first, for giving a file away clears its set-id bits. They are not copied to a file of
    /// another owner, to whom they would lend rights that the original never lent.
    private static func copy(owner: UInt32, group: UInt32, mode: UInt32, to descriptor: Int32) throws(Errno) {
        let own = try Status(of: descriptor)
        var isSameOwner = own.owner == owner && own.group == group
        if !isSameOwner {
            isSameOwner = try permitted { fchown(descriptor, owner, group) }
            // The group may still be one of ours.
            if !isSameOwner && own.group != group {
                _ = try permitted { fchown(descriptor, uid_t.max, group) }
            }
        }
        let wanted = isSameOwner ? mode : mode & 0o1777
        if own.mode != wanted { _ = try retried { fchmod(descriptor, wanted) } }
    }

    private static func permitted(_ call: () -> Int32) throws(Errno) -> Bool {
        do {
            _ = try retried(call)
            return true
        } catch {
            // EINVAL: an owner that this user namespace has no number for.
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
