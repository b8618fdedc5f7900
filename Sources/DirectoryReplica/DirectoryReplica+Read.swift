package import FileSystem
package import Model
package import Replica

extension DirectoryReplica {
    package func signature(of path: RelativePath, isKnown: Bool) throws(ReadObstacle) -> Signature? {
        let file = Location(side, path)
        let status: FileStatus
        do throws(FileError) {
            status = try files.status(of: file)
        } catch {
            try checkAbsence(error, of: file, isKnown: isKnown)
            return nil
        }
        guard status.kind == .regular else { throw .notRegular(status.kind) }
        if status.isMountPoint { throw .mountPoint }
        if status.signature.size > Int64(settings.maxBytes) { throw .tooLarge(status.signature.size) }
        return status.signature
    }

    /// Reads through one descriptor, and checks the file's status before and after.
    package func read(
        _ path: RelativePath,
        unless known: Digest?,
        seen: Signature?,
        mayWait: Bool,
        isKnown: Bool,
        pair: UInt64?
    ) throws(ReadObstacle) -> FileReading {
        let file = Location(side, path)
        let reading: Result<FileReading, ReadObstacle>
        do throws(FileError) {
            reading = try read(through: files, file, unless: known, mayWait: mayWait, pair: pair)
        } catch {
            try checkAbsence(error, of: file, isKnown: isKnown)
            return .absent
        }
        return try reading.get()
    }

    /// A program that writes in place has the file open while it is partly written. So the bridge checks for
    /// writers between reading and the last `stat`: a writer that has closed the file by then changed it
    /// before that `stat`, which shows the change. Where two writes can share a timestamp it does not, so
    /// there the check is made before reading, too.
    private func read<Files: FileSystem>(
        through files: Files,
        _ file: Location,
        unless known: Digest?,
        mayWait: Bool,
        pair: UInt64?
    ) throws(FileError) -> Result<FileReading, ReadObstacle> {
        let handle = try files.open(file)
        defer { files.close(handle) }
        var isOpen = mayWait && files.timestampGrain > .zero && files.isOpenForWriting(handle) == true
        let before = try files.status(of: handle).signature
        // Reads no further than the size: anything appended later changes the size.
        let bytes = try files.read(handle, limit: min(settings.maxBytes + 1, Int(before.size)))
        if mayWait, !isOpen { isOpen = files.isOpenForWriting(handle) == true }
        let after = try files.status(of: handle).signature
        guard before == after, Int64(bytes.count) == after.size else { return .failure(.changing) }
        let digest = Digest(of: bytes)
        if known == digest { return .success(.same(after)) }
        if isOpen { return .failure(.beingWritten) }
        let mark = pair.flatMap { files.mark(of: handle, file, digest, pair: $0) }
        return .success(.content(FileContent(bytes: bytes, digest: digest, signature: after, mark: mark)))
    }

    /// Returns if the error means that the document is absent.
    private func checkAbsence(_ error: FileError, of file: Location, isKnown: Bool) throws(ReadObstacle) {
        switch error {
        case .missing: break
        case .noDirectory(let directory) where directory.path != nil: break
        case .notRegular(_, let kind): throw .notRegular(kind)
        default: throw .unreadable(error)
        }
        if isKnown, isMountedOver(file) { throw .mountPoint }
    }

    /// A document that a mount hides still exists.
    private func isMountedOver(_ file: Location) -> Bool {
        var next = file.path.directory
        while let path = next {
            if (try? files.status(of: Directory(file.root, path)))?.isMountPoint == true { return true }
            next = path.directory
        }
        return false
    }
}

extension DirectoryReplica {
    package func status(of place: Location) throws(FileError) -> DocumentStatus {
        let status = try files.status(of: place)
        return DocumentStatus(
            kind: status.kind,
            signature: status.signature,
            isReadOnly: status.mode & 0o222 == 0,
            born: status.born
        )
    }

    package func contents(of place: Location, limit: Int) throws(FileError) -> [UInt8] {
        try files.contents(of: place, limit: limit)
    }

    package func signature(ofBeingWritten path: RelativePath) -> Signature? {
        files.signature(ofFileBeingWritten: place(path))
    }

    package func namesake(of path: RelativePath) -> RelativePath? {
        caseFolding.namesake(of: place(path), in: files)
    }

    package func isView(
        _ path: RelativePath,
        of bytes: [UInt8]?,
        limit: Int,
        pair: UInt64?
    ) throws(FileError) -> Bool {
        try isView(place(path), of: bytes, limit, pair, through: files)
    }

    private func isView<Files: FileSystem>(
        _ file: Location,
        of known: [UInt8]?,
        _ limit: Int,
        _ pair: UInt64?,
        through files: Files
    ) throws(FileError) -> Bool {
        let handle = try files.open(file)
        defer { files.close(handle) }
        let bytes = try files.read(handle, limit: limit)
        if bytes == known { return true }
        return pair.flatMap { files.mark(of: handle, file, Digest(of: bytes), pair: $0) }?.kind == .view
    }
}

extension FileSystem {
    /// The publication mark of an open file with this content. An unreadable mark counts as none.
    package func mark(of handle: Handle, _ file: Location, _ content: Digest, pair: UInt64)
        -> PublicationMark?
    {
        guard let bytes = try? attribute(OwnAttribute.publication, of: handle),
            let mark = PublicationMark(bytes, at: file, content), mark.pair == pair
        else { return nil }
        return mark
    }
}
