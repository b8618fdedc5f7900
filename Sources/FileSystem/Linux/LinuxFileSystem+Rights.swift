internal import CLinux
internal import Glibc
package import Model

extension LinuxFileSystem {
    /// Called for every file that is moved to the trash, so it skips calls that would change nothing.
    package func keepRights(of model: Location, with file: Location) throws(FileError) {
        let known = model == file ? nil : try rights(of: model)
        do throws(Errno) {
            let root = root(file.root).descriptor
            let held = try open(file.path.description, beneath: root, linux_o_path | O_NOFOLLOW)
            defer { _ = Glibc.close(held) }
            let status = try Status(of: held)
            guard status.kind == .regular else { throw Errno(code: EINVAL) }
            let names = try ExtendedAttributes.allNames(of: held)
            let own = try KeptRights(status, names.contains(ExtendedAttributes.accessList) ? held : nil)
            // First, because setting an attribute needs write permission.
            if status.mode != KeptRights.modeInTrash { try ExtendedAttributes.makePrivate(held) }
            try ExtendedAttributes.replaceRights(own, of: held, by: known ?? own, among: names)
        } catch {
            throw FileError(error, .attributes, file)
        }
    }

    package func keptRights(with file: Location) -> KeptRights? { readRights(of: file) }

    private func rights(of model: Location) throws(FileError) -> KeptRights {
        try within(model, .find, .attributes) { directory, name throws(Errno) in
            let status = try Status(of: name, in: directory)
            var list: ExtendedAttributes.One?
            if try hasAttributes(name, in: directory) {
                list = try attributes(of: name, in: directory).first { $0.isAccessList }
            }
            return KeptRights(status, list)
        }
    }

    /// The rights before the file was moved to the trash; `nil` where they are unknown.
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

    /// `held`: a descriptor of a file with an access control list; `nil` if there is none.
    fileprivate init(_ status: Status, _ held: Int32?) throws(Errno) {
        var list: ExtendedAttributes.One?
        if let held, let value = try ExtendedAttributes.value(of: ExtendedAttributes.accessList, of: held) {
            list = ExtendedAttributes.One(name: ExtendedAttributes.accessList, value: value)
        }
        self.init(status, list)
    }
}
