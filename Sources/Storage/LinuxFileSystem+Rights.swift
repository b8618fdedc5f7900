internal import CLinux
internal import Glibc
internal import Reconciliation

extension LinuxFileSystem {
    package func keepRights(of model: Location, with file: Location) throws(FileError) {
        let rights = try within(model, .find, .attributes) { directory, name throws(Errno) in
            let status = try Status(of: name, in: directory)
            var list: ExtendedAttributes.One?
            if try hasAttributes(name, in: directory) {
                list = try attributes(of: name, in: directory).first { $0.isAccessList }
            }
            return KeptRights(status, list)
        }
        try within(file, .find, .attributes) { directory, name throws(Errno) in
            guard try Status(of: name, in: directory).kind == .regular else { throw Errno(code: EINVAL) }
            let held = try retried { unsafe openat(directory, name, linux_o_path | O_NOFOLLOW | O_CLOEXEC) }
            defer { _ = Glibc.close(held) }
            // First: whoever may not write to it cannot give it an attribute.
            try ExtendedAttributes.makePrivate(held)
            try ExtendedAttributes.replaceRights(of: held, by: rights)
        }
    }

    /// As it was before it came into the trash; `nil` where that is not known.
    func keptRights(of name: String, in directory: Int32) throws(Errno) -> KeptRights? {
        let held = try retried { unsafe openat(directory, name, linux_o_path | O_NOFOLLOW | O_CLOEXEC) }
        defer { _ = Glibc.close(held) }
        do {
            return try ExtendedAttributes.value(of: ExtendedAttributes.rights, of: held).flatMap {
                KeptRights($0)
            }
        } catch {
            if error.code == EOPNOTSUPP { return nil }
            throw error
        }
    }
}

extension KeptRights {
    init(_ status: Status, _ list: ExtendedAttributes.One?) {
        self.init(
            mode: status.mode,
            owner: status.owner,
            ownerGroup: status.group,
            list: list?.value ?? []
        )
    }
}
