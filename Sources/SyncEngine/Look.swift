import DirectoryReplica
import Documents
package import FileSystem
package import Model
import StateStore

extension Engine {
    /// Looks at one document on one side: through one descriptor, with a check before and after.
    ///
    /// `record` is what to compare it with; without one the content itself is wanted. `isOutdated`: the
    /// record is by a profile of other versions, so the content is wanted all the same. With `rehash` it is
    /// read as it is, whoever is at it.
    func look(
        _ side: Side,
        _ path: RelativePath,
        rehash: Bool,
        record: DocumentRecord?,
        isOutdated: Bool = false
    ) -> Observation {
        let known = isOutdated ? nil : record?.sides[side]
        let file = Location(side, path)
        if folders.caseFolding.namesake(of: file, in: files) != nil { return .absent }
        do throws(FileError) {
            let status = try files.status(of: file)
            if let problem = refusal(of: status) { return .problem(problem) }
            if !rehash, let signature = known?.signature, signature == status.signature {
                return .unchanged(status.signature)
            }
            if let own = accessLog.own(at: file), own.signature == status.signature {
                if own.digest == known?.digest { return .unchanged(status.signature) }
                return understand(own.bytes, own.digest, status.signature, path)
            }
            if !rehash, accessLog.isUndecided(file) { return .problem(.unheard) }
            let mayWait = !rehash && openDocuments.mayWait(for: file)
            return try read(file, path, known: known?.digest, mayWait: mayWait)
        } catch .missing {
            return record != nil && isMountedOver(file) ? .problem(.mountPoint) : .absent
        } catch .noDirectory(let directory) where directory.path != nil {
            return record != nil && isMountedOver(file) ? .problem(.mountPoint) : .absent
        } catch .notRegular(_, let kind) {
            return .problem(.notRegular(kind))
        } catch {
            return .problem(.unreadable(error))
        }
    }

    /// The content itself; of what the bridge knows, as it knows it.
    func content(_ side: Side, _ path: RelativePath) -> Observation {
        let seen = look(side, path, rehash: false, record: records[path])
        guard case .unchanged(let signature) = seen else { return seen }
        let base: BaseContent?
        do throws(BaseFailure) {
            base = try self.base(of: path)
        } catch {
            // The file itself holds the same.
            base = nil
        }
        guard let digest = records[path]?.sides[side].digest, let bytes = base?.bytes(on: side),
            Digest(of: bytes) == digest
        else { return look(side, path, rehash: true, record: nil) }
        return understand(bytes, digest, signature, path)
    }

    /// What a mount hides is not gone.
    private func isMountedOver(_ file: Location) -> Bool {
        var next = file.path.directory
        while let path = next {
            if (try? files.status(of: Directory(file.root, path)))?.isMountPoint == true { return true }
            next = path.directory
        }
        return false
    }

    private func refusal(of status: FileStatus) -> Problem? {
        guard status.kind == .regular else { return .notRegular(status.kind) }
        if status.isMountPoint { return .mountPoint }
        if status.signature.size > Int64(settings.maxDocument) {
            return .tooLarge(status.signature.size, limit: settings.maxDocument)
        }
        return nil
    }

    /// `mayWait`: not what a program has open for writing.
    ///
    /// Whoever writes in place has the file open while half of it is new. That is asked for between reading
    /// and the last look at the outside: a writer who has closed it by then has written before that look,
    /// which shows it. Where writes can share a stamp it need not; there it is asked for before, too.
    private func read(
        _ file: Location,
        _ path: RelativePath,
        known: Digest?,
        mayWait: Bool
    ) throws(FileError) -> Observation {
        try read(through: files, file, path, known: known, mayWait: mayWait)
    }

    private func read<Files: FileSystem>(
        through files: Files,
        _ file: Location,
        _ path: RelativePath,
        known: Digest?,
        mayWait: Bool
    ) throws(FileError) -> Observation {
        let handle = try files.open(file)
        defer { files.close(handle) }
        var isOpen = mayWait && files.timestampGrain > .zero && files.isOpenForWriting(handle) == true
        let before = try files.status(of: handle).signature
        // No further than it is long: what comes behind that shows in its size.
        let bytes = try files.read(handle, limit: min(settings.maxDocument + 1, Int(before.size)))
        if mayWait, !isOpen { isOpen = files.isOpenForWriting(handle) == true }
        let after = try files.status(of: handle).signature
        guard before == after, Int64(bytes.count) == after.size else { return .problem(.changing) }
        let digest = Digest(of: bytes)
        if known == digest { return .unchanged(after) }
        if isOpen { return .problem(.beingWritten) }
        return understand(bytes, digest, after, path, containers.mark(of: handle, in: files, file, digest))
    }

    private func understand(
        _ bytes: [UInt8],
        _ digest: Digest,
        _ signature: Signature,
        _ path: RelativePath,
        _ mark: PublicationMark? = nil
    ) -> Observation {
        if bytes.isEmpty { return .problem(.empty) }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes, limits: limits)
        } catch {
            return .problem(.notJSON(error))
        }
        let rule = rule(for: path)
        let version: Int?
        switch rule.version(of: json) {
        case .unversioned: version = nil
        case .known(let number): version = number
        case .newer(let number): return .problem(.newerVersion(number, known: rule.newest ?? 0))
        case .unreadable(let fault): return .problem(.unknownVersion(fault))
        }
        var snapshot = DocumentSnapshot(
            json: json,
            bytes: bytes,
            digest: digest,
            signature: signature,
            version: version
        )
        snapshot.mark = mark
        return .content(snapshot)
    }

    // MARK: Writers

    /// What a look found: who is writing, and what is gone.
    mutating func noteLook(_ input: PlanInput, at now: Moment) {
        var (writers, isChanging) = ([Side](), false)
        for side in Side.allCases {
            if input.isAbsent(side) { signatureTrust.forget(Location(side, input.document)) }
            guard case .problem(let problem) = input.observed[side] else { continue }
            if problem == .beingWritten { writers.append(side) }
            if problem == .changing { isChanging = true }
        }
        let path = input.document
        openDocuments.note(path, beingWritten: writers, isChanging: isChanging, at: now.uptime, in: files)
    }

    /// What was to be replaced was not, because a program has it open.
    mutating func hasWriterInTheWay(_ file: Location, at now: Moment) -> Bool {
        if exchanges(file), !openDocuments.contains(file) { return false }
        return openDocuments.isInTheWay(file, at: now.uptime, in: files)
    }

    /// The files of a document, as it stands or as it was put aside, that a program keeps open for writing.
    package func filesHeldOpen(of path: RelativePath) -> [Location] {
        openDocuments.open(of: path)
            + displacedFiles.places { $0.isHeldOpen && $0.document == path }
    }
}
