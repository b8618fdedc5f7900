import DirectoryReplica
import FileSystem
import Glibc
import Model

extension FaultyDoor {
    // MARK: - Writing

    func create(_ file: Location) throws(FileError) -> Handle {
        reopen()
        let file = followed(file)
        do {
            return Handle(try base.create(file), file, isWritable: true)
        } catch .exists where fault == .createsOver {
            try base.remove(file)
            return Handle(try base.create(file), file, isWritable: true)
        } catch .noDirectory where fault == .createsDirectories {
            guard let path = file.path.directory else { throw .missing(file) }
            try makeDirectory(Location(file.root, path))
            return Handle(try base.create(file), file, isWritable: true)
        }
    }

    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        switch fault {
        case .writesShort: try base.write(Array(bytes.prefix(65_536)), to: handle.base)
        case .writesLate: handle.held += bytes
        case .ignoresWritesToReaders: if handle.isWritable { try base.write(bytes, to: handle.base) }
        default: try base.write(bytes, to: handle.base)
        }
    }

    func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        if fault == .keepsNoAttributes { return }
        do {
            try base.copyAttributes(of: source, to: handle.base)
            if fault == .copiesMarks { try copyMark(of: source, to: handle) }
        } catch  where fault == .keepsNoAttributesOfNone {
        }
    }

    func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        if fault == .keepsNoDirectoryMode { return }
        try base.copyAttributes(of: source, to: directory)
    }

    private func copyMark(of source: Location, to handle: Handle) throws(FileError) {
        let opened = try base.open(source)
        defer { base.close(opened) }
        let name = OwnAttribute.publication
        if let mark = try base.attribute(name, of: opened) {
            try base.setAttribute(name, of: handle.base, to: mark)
        }
    }

    func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        if fault != .setsNoAttribute { try base.setAttribute(name, of: handle.base, to: value) }
    }

    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        try base.attribute(name, of: handle.base)
    }

    func keepRights(of model: Location, with file: Location) throws(FileError) {
        if fault == .keepsNoRights { return }
        try base.keepRights(of: model, with: file)
    }

    func keptRights(with file: Location) -> KeptRights? { base.keptRights(with: file) }

    func setDefaultMode(of handle: Handle) throws(FileError) { try base.setDefaultMode(of: handle.base) }
    func makeReadOnly(_ handle: Handle) throws(FileError) { try base.makeReadOnly(handle.base) }

    func sync(_ handle: Handle) throws(FileError) { try base.sync(handle.base) }

    func sync(_ directory: Directory) throws(FileError) {
        if fault != .syncsNothing { try base.sync(directory) }
    }

    func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try base.attribute(name, at: fault == .sharesRootAttributes ? .app : root)
    }

    func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        try base.addAttribute(name, to: fault == .sharesRootAttributes ? .app : root, value)
    }

    func reopen(_ root: Root) throws(FileError) {
        if fault != .reopensNothing { try base.reopen(root) }
    }

    // MARK: - Moving

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        reopen()
        let (from, to) = (followed(from), followed(to))
        switch (fault, mode) {
        case (.exclusiveReplaces, .exclusive): try base.rename(from, to: to, .replace)
        case (.exclusiveLeavesBoth, .exclusive): try base.link(from, to: to)
        case (.exchangeLosesDisplaced, .exchange): try base.rename(from, to: to, .replace)
        case (.exchangeMovesAlone, .exchange): try exchangeOrMove(from, to)
        case (.replaceCopies, .replace): try copy(from, to)
        case (.renameIgnoresMissing, _):
            do { try base.rename(from, to: to, mode) } catch .missing {} catch .noDirectory {}
        case (.renameIgnoresDirectories, _):
            do { try base.rename(from, to: to, mode) } catch .notRegular {} catch .system {}
        case (.renameDropsTwin, .replace):
            let isTwin = try base.status(of: from).signature == (try? base.status(of: to).signature)
            try base.rename(from, to: to, mode)
            if isTwin { try base.remove(from) }
        default: try base.rename(from, to: to, mode)
        }
    }

    private func exchangeOrMove(_ from: Location, _ to: Location) throws(FileError) {
        do {
            try base.rename(from, to: to, .exchange)
        } catch {
            try base.rename(from, to: to, .replace)
        }
    }

    private func copy(_ from: Location, _ to: Location) throws(FileError) {
        let source = try base.open(from)
        defer { base.close(source) }
        let bytes = try base.read(source, limit: .max)
        do { try base.remove(to) } catch .missing {}
        let target = try base.create(to)
        defer { base.close(target) }
        try base.write(bytes, to: target)
        try base.remove(from)
    }

    func link(_ from: Location, to: Location) throws(FileError) {
        let (from, to) = (followed(from), followed(to))
        switch fault {
        case .linkCopies:
            let source = try base.open(from)
            defer { base.close(source) }
            let target = try base.create(to)
            defer { base.close(target) }
            try base.write(try base.read(source, limit: .max), to: target)
        case .linkReplaces:
            do { try base.remove(to) } catch .missing {}
            try base.link(from, to: to)
        default: try base.link(from, to: to)
        }
    }

    func remove(_ file: Location) throws(FileError) {
        let file = followed(file)
        switch fault {
        case .removeIgnoresMissing:
            do { try base.remove(file) } catch .missing {}
        case .removeTakesTwin:
            let inode = try base.status(of: file).signature.inode
            try base.remove(file)
            for entry in try base.list(Directory(file.root)) {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let path = RelativePath(name),
                    try base.status(of: Location(file.root, path)).signature.inode == inode
                else { continue }
                try base.remove(Location(file.root, path))
            }
        default: try base.remove(file)
        }
    }

    // MARK: - Directories

    func makeDirectory(_ directory: Location) throws(FileError) {
        reopen()
        do {
            try base.makeDirectory(followed(directory))
        } catch .exists where fault == .makesAgain {
        } catch .noDirectory where fault == .createsDirectories {
            guard let path = directory.path.directory else { throw .missing(directory) }
            try makeDirectory(Location(directory.root, path))
            try base.makeDirectory(directory)
        }
    }

    func removeDirectory(_ directory: Location) throws(FileError) {
        do {
            try base.removeDirectory(followed(directory))
        } catch .system(errno: ENOTEMPTY, _, _) where fault == .removesFull {
            for entry in try base.list(Directory(directory.root, directory.path)) {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let path = RelativePath.child(of: directory.path, name)
                else { continue }
                let child = Location(directory.root, path)
                if entry.kind == .directory { try removeDirectory(child) } else { try base.remove(child) }
            }
            try base.removeDirectory(directory)
        }
    }
}
