import DirectoryReplica
import FileSystem
import Model
import Replica
import Stores

/// AsyncStorage keeps a long value in a file beside its manifest, which refers to it. No call replaces both,
/// so these rules say at every moment which of them is the document:
///
/// 1. The file counts while the manifest refers to it. It also counts if it is newer than a manifest that the
///    bridge wrote without a reference: its program had read the manifest before, or will refer to it next.
/// 2. A value whose file counts stays there, however short it is, so that one exchange replaces it. A program
///    that wrote the file alone is displaced, or displaces.
/// 3. A value moves to a file as the library moves it: first the file, then the manifest. What the file had,
///    unless it is a stray of an earlier manifest, may be a save that its program is about to refer to: it is
///    put back, and the bridge reads the document anew.
/// 4. A removal takes the reference away first. What the file has then is what was displaced.
/// 5. After the last step of a change, the bridge looks whether what it wrote is the document now.
extension StoreReplica {
    // MARK: Reading

    /// With the value that counts, and the signature of both files. A manifest that changes meanwhile may
    /// refer to another one.
    func loaded(_ manifest: KeyedContent?, of document: KeyedDocument, mayWait: Bool) throws(ReadObstacle)
        -> KeyedContent?
    {
        guard var content = manifest, let path = document.valueFile else { return manifest }
        content.outside = try outside(document, beside: content, mayWait: mayWait)
        let own: Signature?
        if let outside = content.outside {
            own = outside.signature
        } else {
            own = try? base.signature(of: path, isKnown: false)
        }
        guard try storeSignature(of: document.file, isKnown: true) == manifest?.signature else {
            throw .changing
        }
        content.signature = content.signature.joined(own)
        return content
    }

    /// For a write: a file that is missing can be written.
    func loadedToWrite(_ document: KeyedDocument, waits: Bool) throws(ReadObstacle) -> KeyedContent? {
        do { return try loaded(document, mayWait: waits) } catch .store(let problem) {
            guard case .missingValue = problem.reason else { throw .store(problem) }
            return try content(document, mayWait: waits)
        }
    }

    private func outside(_ document: KeyedDocument, beside manifest: KeyedContent, mayWait: Bool)
        throws(ReadObstacle) -> FileContent?
    {
        guard let path = document.valueFile, let key = document.keys.first?.text else { return nil }
        let isReferred = manifest.refers(to: document)
        if !isReferred, !isNewer(path, than: manifest, of: document) { return nil }
        let reading = try base.read(path, unless: nil, mayWait: mayWait, isKnown: false, pair: nil)
        guard case .content(let found) = reading else {
            if !isReferred { return nil }
            throw .store(StoreProblem(path, .missingValue(key: key)))
        }
        if !isReferred, files.storeMark(of: place(path))?.content == found.digest { return nil }
        do throws(StoreFault) { _ = try AsyncStorageManifest.value(ofFile: found.bytes, key: key) } catch {
            throw .store(StoreProblem(path, .file(error)))
        }
        return found
    }

    private func isNewer(_ path: RelativePath, than manifest: KeyedContent, of document: KeyedDocument)
        -> Bool
    {
        guard let value = try? files.status(of: place(path)) else { return false }
        return value.signature.changed >= manifest.signature.modified
            && isOwn(manifest, of: document)
    }

    func isOwn(_ manifest: KeyedContent, of document: KeyedDocument) -> Bool {
        files.storeMark(of: place(document.file))?.content == manifest.digest
    }

    /// Whether the manifest refers to the file now; `nil` if it cannot be read.
    func isReferred(_ document: KeyedDocument) -> Bool? {
        do throws(ReadObstacle) {
            return try content(document, mayWait: false)?.refers(to: document) ?? false
        } catch {
            return nil
        }
    }

    // MARK: Writing

    /// Publishes a value that is, or becomes, a file. Returns as `exchange` does.
    mutating func putValue(
        _ change: StoreChange<KeyedDocument>,
        at file: Location,
        over current: KeyedContent?
    )
        throws(FileError) -> Location??
    {
        let bytes = change.bytes ?? []
        let before = try? files.status(of: file).signature
        let staged: Staged
        do { staged = try stage(change, for: file, over: current, isNew: before == nil) } catch .missing {
            return nil
        }
        let displaced: Location?
        switch try publish(staged, isNew: before == nil, over: current?.outside) {
        case .raced, .pending: return nil
        case .created: displaced = nil
        case .replaced(let place): displaced = place
        }
        if settings.syncsDirectories { try files.sync(file.directory) }
        let manifest: Signature
        var out: Location?
        if let current, current.refers(to: change.document) {
            guard isReferred(change.document) != false else {
                try withdraw(bytes, from: file, putting: nil, of: change)
                if let displaced { try? files.remove(displaced) }
                return nil
            }
            (manifest, out) = (current.manifest, displaced)
        } else {
            guard let done = try refer(change, to: file, bytes, over: current, before, displaced) else {
                return nil
            }
            (manifest, out) = done
        }
        published[change.target] = (change.temporary, manifest.joined(staged.signature))
        return .some(out)
    }

    /// The second step of a value that moves to a file. `nil` if what was written is not the document.
    private mutating func refer(
        _ change: StoreChange<KeyedDocument>,
        to file: Location,
        _ bytes: [UInt8],
        over current: KeyedContent?,
        _ before: Signature?,
        _ displaced: Location?
    ) throws(FileError) -> (manifest: Signature, displaced: Location?)? {
        let document = change.document
        let reference = document.keys.map { ($0, StoreValue?.some(AsyncStorageManifest.elsewhere)) }
        var out: Location??
        do throws(FileError) {
            out = try exchange(change, Dictionary(uniqueKeysWithValues: reference), over: current)
        } catch {
            try withdraw(bytes, from: file, putting: displaced, of: change)
            throw error
        }
        let wasDocument = current?.outside != nil
        // A program whose manifest has another value by now does not refer to the file.
        let isPast = (out ?? nil).map { isOvertaken(document, at: $0, since: current) } ?? false
        let isLost = displaced.map {
            !wasDocument && !isPast && !isStray($0, before, beside: current, document)
        }
        guard let out, isLost != true, has(file, bytes), let manifest = published[change.target]?.store else {
            try withdraw(bytes, from: file, putting: displaced, of: change)
            if let place = out ?? nil { try settleRest(place) }
            return nil
        }
        guard let displaced else { return (manifest, out) }
        if wasDocument {
            if let out { try settleRest(out) }
            return (manifest, displaced)
        }
        try? files.remove(displaced)
        return (manifest, out)
    }

    /// Removes the reference, and then the file.
    mutating func removeValue(
        _ change: StoreChange<KeyedDocument>,
        at file: Location,
        from current: KeyedContent
    ) throws(FileError) -> Location?? {
        let document = change.document
        var out: Location?
        if current.refers(to: document) {
            let none = document.keys.map { ($0, StoreValue?.none) }
            let exchanged = try exchange(change, Dictionary(uniqueKeysWithValues: none), over: current)
            guard let exchanged else { return nil }
            out = exchanged
        }
        let taken = try valueFile(of: change)
        guard try displace(file, to: taken) != nil else { return .some(out) }
        guard let out else { return .some(taken) }
        // A program whose manifest has the value itself does not need the file any more.
        guard let (_, manifest) = displacedStore(at: out), document.isElsewhere(in: manifest) else {
            try? files.remove(taken)
            return .some(out)
        }
        try settleRest(out)
        return .some(taken)
    }

    /// The value of a displaced manifest. The file that it refers to was not displaced with it.
    func reading(displaced manifest: any KeyedFile, of document: KeyedDocument) -> [UInt8]?? {
        guard let path = document.valueFile, document.isElsewhere(in: manifest) else {
            return document.reading(manifest)
        }
        // Read before it is known not to count: what a program writes after that is another value.
        guard let bytes = try? files.contents(of: place(path), limit: settings.maxBytes + 1),
            let current = (try? loaded(document, mayWait: false)) ?? nil,
            !current.refers(to: document), current.outside == nil
        else { return .some(nil) }
        return bytes
    }

    /// The value that a displaced manifest refers to, and that was displaced with it.
    func takeAway(
        _ bytes: [UInt8],
        displacedWith manifest: any KeyedFile,
        of document: KeyedDocument,
        named temporary: Location
    ) throws(FileError) {
        guard let path = document.valueFile, !bytes.isEmpty, document.isElsewhere(in: manifest) else {
            return
        }
        try take(bytes, from: place(path), to: temporary)
    }
}

extension KeyedDocument {
    func isElsewhere(in manifest: any KeyedFile) -> Bool {
        keys.contains { manifest[$0.text] == AsyncStorageManifest.elsewhere }
    }
}

extension KeyedContent {
    func refers(to document: KeyedDocument) -> Bool {
        document.valueFile != nil && document.isElsewhere(in: file)
    }
}

extension Signature {
    /// The signature of two files together, of which the second one may be missing.
    func joined(_ other: Signature?) -> Signature {
        guard let other else { return self }
        return Signature(
            device: device,
            inode: inode ^ other.inode.byteSwapped,
            size: size + other.size,
            modified: max(modified, other.modified),
            changed: max(changed, other.changed)
        )
    }
}
