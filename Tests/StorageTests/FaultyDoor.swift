import FileSystem
import FileSystemSimulation
import Glibc
import Model

/// A file system with one fault; otherwise it behaves like its base.
struct FaultyDoor<Base: FileSystem>: FileSystem {
    final class Handle {
        let base: Base.Handle
        let file: Location
        let isWritable: Bool
        var firstBytes: [UInt8]?
        var reads = 0
        var held: [UInt8] = []

        init(_ base: Base.Handle, _ file: Location, isWritable: Bool) {
            self.base = base
            self.file = file
            self.isWritable = isWritable
        }
    }

    let base: Base
    let fault: DoorFault
    let inventions = Counter()

    final class Counter { var count: Int64 = 0 }

    init(_ base: Base, _ fault: DoorFault) {
        self.base = base
        self.fault = fault
    }

    var timestampGrain: Duration { base.timestampGrain }

    /// The target of `followsLinks`: every link of the contract leads to the group container.
    func followed(_ file: Location) -> Location {
        let way = "link/"
        guard fault == .followsLinks, file.path.description.hasPrefix(way),
            let path = RelativePath(String(file.path.description.dropFirst(way.count)))
        else { return file }
        return Location(Root.group, path)
    }

    func reopen() {
        guard fault == .reopensRoots, let disk = base as? SimulatedDisk, disk.openHandles == 0 else { return }
        try? disk.restart()
    }

    // MARK: - Looking

    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        reopen()
        var entries: [DirectoryEntry]
        do {
            entries = try base.list(directory)
        } catch .noDirectory where fault == .listsNoneAsEmpty && directory.path != nil {
            return []
        } catch .noDirectory where fault == .deletedRootIsEmpty && directory.path == nil {
            return []
        }
        switch fault {
        case .listsUnsorted: entries.reverse()
        case .listsOnlyText: entries.removeAll { String(validating: $0.bytes, as: UTF8.self) == nil }
        case .listsAllAsRegular: for place in entries.indices { entries[place].kind = .regular }
        default: break
        }
        return entries
    }

    func status(of file: Location) throws(FileError) -> FileStatus {
        reopen()
        do {
            return distorted(try base.status(of: followed(file)))
        } catch .missing where fault == .tellsMissingParent && file.path.directory != nil {
            throw .noDirectory(file.directory)
        } catch .noDirectory where fault == .takesFileForAbsence {
            throw .missing(file)
        } catch .system(errno: ENAMETOOLONG, _, _) where fault == .findsNoLongName {
            throw .missing(file)
        }
    }

    func status(of directory: Directory) throws(FileError) -> FileStatus {
        if fault == .tellsFileAsDirectory, let path = directory.path {
            return try base.status(of: Location(directory.root, path))
        }
        return try base.status(of: directory)
    }

    func foldsCase(_ directory: Directory) throws(FileError) -> Bool {
        try base.foldsCase(directory) || fault == .foldsCaseEverywhere
    }
    func standing(at root: Root) throws(FileError) -> FileStatus {
        fault == .trustsOpenRoot ? try base.status(of: Directory(root)) : try base.standing(at: root)
    }

    func status(of handle: Handle) throws(FileError) -> FileStatus {
        if fault == .tellsHandleByName { return try base.status(of: handle.file) }
        var status = distorted(try base.status(of: handle.base))
        if fault == .createsPublic && handle.isWritable { status.mode |= 0o044 }
        return status
    }

    private func distorted(_ status: FileStatus) -> FileStatus {
        var status = status
        switch fault {
        case .tellsNoSize: status.signature.size = 0
        case .forgetsTime:
            status.signature.changed = 0
            status.signature.modified = 0
        case .inventsTime:
            inventions.count += 1
            status.signature.changed += inventions.count
        default: break
        }
        return status
    }

    // MARK: - Reading

    func open(_ file: Location) throws(FileError) -> Handle {
        reopen()
        do {
            return Handle(try base.open(followed(file)), file, isWritable: false)
        } catch .notRegular where fault == .opensLinksAsMissing {
            throw .missing(file)
        }
    }

    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        defer { handle.reads += 1 }
        switch fault {
        case .readsShort: return Array(try base.read(handle.base, limit: limit).prefix(65_536))
        case .readsBeyondLimit: return try base.read(handle.base, limit: limit + 1)
        case .readsOn: return handle.reads == 0 ? try base.read(handle.base, limit: limit) : []
        case .readsWriters: return handle.isWritable ? [] : try base.read(handle.base, limit: limit)
        case .readsStale:
            if let bytes = handle.firstBytes { return bytes }
            let bytes = try base.read(handle.base, limit: limit)
            handle.firstBytes = bytes
            return bytes
        case .handlesAreNames:
            let anew = try base.open(handle.file)
            defer { base.close(anew) }
            return try base.read(anew, limit: limit)
        default: return try base.read(handle.base, limit: limit)
        }
    }

    func isOpenForWriting(_ handle: Handle) -> Bool? {
        switch fault {
        case .deniesWriters: false
        case .seesWritersEverywhere: true
        default: base.isOpenForWriting(handle.base)
        }
    }

    func close(_ handle: Handle) {
        if fault == .writesLate { try? base.write(handle.held, to: handle.base) }
        base.close(handle.base)
    }
}
