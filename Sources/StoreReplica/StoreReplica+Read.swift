import DatabaseStore
import DirectoryReplica
import FileSystem
import Glibc
package import Model
package import Replica
package import Stores

/// The current content of a store.
struct KeyedContent {
    var bytes: [UInt8]
    var digest: Digest
    var signature: Signature
    var file: any KeyedFile
    /// The signature of the file alone.
    var manifest: Signature
    /// The document, if it is in a file of its own.
    var outside: FileContent?
    /// A program is writing the file; this is the content from before.
    var isBackup = false
}

extension StoreReplica {
    /// `nil` if there is no such file: no document in it exists.
    func content(
        _ document: KeyedDocument,
        mayWait: Bool,
        isKnown: Bool = false
    ) throws(ReadObstacle) -> KeyedContent? {
        let backup = document.backup
        if let backup, let content = try content(document, at: backup, mayWait: false, isKnown: false) {
            return KeyedContent(content, isBackup: true)
        }
        let content = try content(document, at: document.file, mayWait: mayWait, isKnown: isKnown)
        if content == nil, isKnown { try document.checkMayBeMissing() }
        if let backup, try storeSignature(of: backup, isKnown: false) != nil { throw .changing }
        return content
    }

    /// With the document's own file.
    func loaded(_ document: KeyedDocument, mayWait: Bool, isKnown: Bool = false) throws(ReadObstacle)
        -> KeyedContent?
    {
        try loaded(
            try content(document, mayWait: mayWait, isKnown: isKnown),
            of: document,
            mayWait: mayWait
        )
    }

    private func content(
        _ document: KeyedDocument,
        at path: RelativePath,
        mayWait: Bool,
        isKnown: Bool
    ) throws(ReadObstacle) -> KeyedContent? {
        if let known = parsed.content(of: place(path), document.format, in: files, isClosed: mayWait) {
            return known
        }
        let reading = try named(path) { () throws(ReadObstacle) in
            try stores.read(path, unless: nil, mayWait: mayWait, isKnown: isKnown, pair: nil)
        }
        guard case .content(let raw) = reading else { return nil }
        do throws(StoreFault) {
            let file = try parsed.file(raw.bytes, raw.digest, document.format)
            let content = KeyedContent(
                bytes: raw.bytes,
                digest: raw.digest,
                signature: raw.signature,
                file: file,
                manifest: raw.signature
            )
            parsed.remember(content, of: place(path))
            return content
        } catch {
            throw .store(StoreProblem(path, .file(error)))
        }
    }

    func value(of document: KeyedDocument, in content: KeyedContent) throws(ReadObstacle) -> [UInt8]? {
        if content.outside != nil || content.refers(to: document) { return content.outside?.bytes }
        do throws(StoreProblem) { return try document.bytes(in: content.file) } catch { throw .store(error) }
    }

    // MARK: Replica

    package mutating func list(_ directory: RelativePath?) throws(FileError) -> ReplicaListing {
        var listing = try base.list(directory)
        listing.files.removeAll { layout[$0] != nil || layout.documents(in: $0) != nil }
        listing.files += layout.paths.filter { (directory.map($0.isInside) ?? true) && mayExist($0) }
        if let directory { listing.files += layout.paths(beneath: directory) }
        return listing
    }

    /// A document that cannot be read may exist, so it is held.
    private func mayExist(_ path: RelativePath) -> Bool {
        guard let document = document(path) else { return false }
        do throws(ReadObstacle) { return try file(of: document) != nil } catch { return true }
    }

    package func documents(in file: RelativePath) -> [RelativePath] {
        layout.documents(in: file) ?? (layout[file] == nil ? base.documents(in: file) : [])
    }

    package func address(of document: RelativePath) -> StoreAddress? { layout[document]?.address }

    package func unnamable(in directory: RelativePath?) -> [String] { base.unnamable(in: directory) }

    package func status(of place: Location) throws(FileError) -> DocumentStatus {
        guard place.side == side, let document = document(place.path) else {
            return try base.status(of: place)
        }
        // It is not read for what was committed last, if the store is unchanged since.
        if let last = published[place], document.valueFile == nil,
            let own = try? status(of: document, in: document.file), own.signature.isRenamed(last.store)
        {
            parsed.record(own.signature, ofPublished: self.place(document.file))
            return own
        }
        let file: RelativePath?
        do throws(ReadObstacle) { file = try self.file(of: document) } catch { file = document.file }
        guard let file else { throw .missing(place) }
        return try status(of: document, in: file)
    }

    private func status(of document: StoredDocument, in file: RelativePath) throws(FileError)
        -> DocumentStatus
    {
        // A change of the log is one of the database.
        if case .row(let row) = document, let status = try? databases?.status(of: row) { return status }
        return try base.status(of: Location(side, file))
    }

    /// The file that has the document now; `nil` if it is absent.
    private func file(of document: StoredDocument) throws(ReadObstacle) -> RelativePath? {
        switch document {
        case .keyed(let keyed):
            guard let content = try loaded(keyed, mayWait: false),
                try value(of: keyed, in: content) != nil
            else { return nil }
            if content.outside != nil { return keyed.valueFile }
            return content.isBackup ? keyed.backup : keyed.file
        case .row(let row):
            let isAbsent = try read(row, unless: nil, mayWait: false, isKnown: false) == .absent
            return isAbsent ? nil : row.file.path
        }
    }

    package func signature(of path: RelativePath, isKnown: Bool) throws(ReadObstacle) -> Signature? {
        switch document(path) {
        case nil: return try base.signature(of: path, isKnown: isKnown)
        case .row(let row):
            do throws(DatabaseFault) {
                let signature = try databases?.signature(of: row, isKnown: isKnown)
                if signature != nil || !isKnown { return signature }
            } catch {
                throw row.obstacle(error)
            }
            throw .store(StoreProblem(row.file.path, .missing))
        case .keyed(let document):
            // The signature of the file: only a read shows whether the document is in it.
            if let backup = document.backup, let its = try storeSignature(of: backup, isKnown: false) {
                return its
            }
            let signature = try storeSignature(of: document.file, isKnown: isKnown)
            parsed.record(seen: signature, at: place(document.file))
            if signature == nil, isKnown { try document.checkMayBeMissing() }
            guard let signature, let own = document.valueFile else { return signature }
            return signature.joined(try? base.signature(of: own, isKnown: false))
        }
    }

    package func read(
        _ path: RelativePath,
        unless known: Digest?,
        seen: Signature?,
        mayWait: Bool,
        isKnown: Bool,
        pair: UInt64?
    ) throws(ReadObstacle) -> FileReading {
        switch document(path) {
        case nil:
            try base.read(path, unless: known, seen: seen, mayWait: mayWait, isKnown: isKnown, pair: pair)
        case .row(let row): try read(row, unless: known, seen: seen, mayWait: mayWait, isKnown: isKnown)
        case .keyed(let document):
            try read(path, in: document, unless: known, mayWait: mayWait, isKnown: isKnown)
        }
    }

    private func read(
        _ path: RelativePath,
        in document: KeyedDocument,
        unless known: Digest?,
        mayWait: Bool,
        isKnown: Bool
    ) throws(ReadObstacle) -> FileReading {
        var isOpen = false
        let content: KeyedContent?
        do throws(ReadObstacle) {
            content = try loaded(document, mayWait: mayWait, isKnown: isKnown)
        } catch .beingWritten {
            // The document may be as it was: programs open the store for other values, too.
            isOpen = true
            content = try loaded(document, mayWait: false, isKnown: isKnown)
        }
        guard let content, let bytes = try value(of: document, in: content) else {
            if isOpen { throw .beingWritten }
            return .absent
        }
        if bytes.count > settings.maxBytes { throw .tooLarge(Int64(bytes.count)) }
        let digest = Digest(of: bytes)
        if document.disagrees != nil { singleValues.add(path, since: known ?? digest) }
        if digest == known { return .same(content.signature) }
        if mayWait, content.isBackup {
            throw .unfinishedSave(document.file, since: content.signature.changed)
        }
        if isOpen { throw .beingWritten }
        return .content(FileContent(bytes: bytes, digest: digest, signature: content.signature))
    }

    func read(
        _ row: DatabaseDocument,
        unless known: Digest?,
        seen: Signature? = nil,
        mayWait: Bool,
        isKnown: Bool
    ) throws(ReadObstacle) -> FileReading {
        guard let databases else { return .absent }
        do throws(DatabaseFault) {
            if let found = try databases.readIfThere(row, known, seen, mayWait, isKnown) { return found }
        } catch {
            throw row.obstacle(error)
        }
        throw .store(StoreProblem(row.file.path, .missing))
    }

    /// The current bytes of a document; `nil` if it is absent, or nothing that a document can be. One that
    /// only cannot be read now, as a program writes to its store, is not absent.
    func standing(_ document: StoredDocument) throws(FileError) -> [UInt8]? {
        do throws(ReadObstacle) {
            switch document {
            case .keyed(let keyed):
                return try loaded(keyed, mayWait: false).flatMap { (content) throws(ReadObstacle) in
                    try value(of: keyed, in: content)
                }
            case .row(let row):
                guard case .content(let content) = try read(row, unless: nil, mayWait: false, isKnown: false)
                else { return nil }
                return content.bytes
            }
        } catch {
            switch error {
            case .unreadable(let error): throw error
            case .changing, .beingWritten, .unfinishedSave:
                throw .system(errno: EBUSY, .lock, place(document.file))
            case .notRegular, .mountPoint, .tooLarge, .store: return nil
            }
        }
    }

    package func contents(of place: Location, limit: Int) throws(FileError) -> [UInt8] {
        guard place.side == side else { return try base.contents(of: place, limit: limit) }
        if let document = document(place.path) {
            guard let found = try standing(document) else { throw .missing(place) }
            return Array(found.prefix(limit))
        }
        if let (document, file) = displacedStore(at: place), let bytes = document.reading(file) ?? nil {
            return Array(bytes.prefix(limit))
        }
        return try base.contents(of: place, limit: limit)
    }

    package func signature(ofBeingWritten path: RelativePath) -> Signature? {
        guard layout[path] != nil else { return base.signature(ofBeingWritten: path) }
        guard let document = layout.keyed(path) else { return nil }
        if let backup = document.backup, let status = try? base.status(of: place(backup)) {
            return status.signature
        }
        return base.signature(ofBeingWritten: document.file)
            ?? document.valueFile.flatMap(base.signature(ofBeingWritten:))
    }

    package func namesake(of path: RelativePath) -> RelativePath? {
        layout[path] == nil ? base.namesake(of: path) : nil
    }

    package func isView(
        _ path: RelativePath,
        of bytes: [UInt8]?,
        limit: Int,
        pair: UInt64?
    ) throws(FileError) -> Bool {
        try base.isView(path, of: bytes, limit: limit, pair: pair)
    }

    package func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath? {
        layout.paths.first { $0.directory == directory && temporary.belongs(to: $0) && mayExist($0) }
            ?? base.document(of: temporary, in: directory)
    }

    package func isSecondName(_ place: Location, of path: RelativePath) -> Bool {
        base.isSecondName(place, of: layout[path]?.file ?? path)
    }

    /// The bytes of a store with these changes; of a new one without a current one.
    func bytes(of current: KeyedContent?, _ document: KeyedDocument, replacing changes: StoreChanges)
        throws(StoreFault) -> [UInt8]
    {
        guard let current else { return try document.format.empty().replacing(changes) }
        return try parsed.bytes(of: current.file, current.digest, replacing: changes)
    }

    package func obstacle(to bytes: [UInt8], as path: RelativePath) -> StoreProblem? {
        switch layout[path] {
        case nil: return nil
        case .row(let row):
            let refusal = databases?.refusal(of: row, to: bytes)
            return refusal.map { StoreProblem(row.file.path, .database($0)) }
        case .keyed(let document):
            do throws(StoreProblem) {
                let changes = try parsed.changes(of: path, document, to: bytes)
                // An encoding may not have what another has.
                let current = (try? content(document, mayWait: false)) ?? nil
                if current?.isBackup == true { throw StoreProblem(document.file, .unfinishedSave) }
                do throws(StoreFault) {
                    _ = try self.bytes(of: current, document, replacing: changes)
                } catch {
                    throw StoreProblem(document.file, .file(error))
                }
            } catch {
                return error
            }
            return nil
        }
    }
}

extension KeyedDocument {
    /// A program removes a document by removing its key: a file that is gone says nothing about it. A file
    /// that is the document is removed with it.
    fileprivate func checkMayBeMissing() throws(ReadObstacle) {
        if !format.isWhole { throw .store(StoreProblem(file, .missing)) }
    }

    /// `nil` if the format has none.
    var backup: RelativePath? { format.hasBackup ? file.sibling(file.name + StoreLayout.backup) : nil }
}

extension KeyedContent {
    fileprivate init(_ content: KeyedContent, isBackup: Bool) {
        self = content
        self.isBackup = isBackup
    }
}

extension DatabaseStore {
    /// As `read`; `nil` if the database of a known document is missing.
    fileprivate func readIfThere(
        _ row: DatabaseDocument,
        _ known: Digest?,
        _ seen: Signature?,
        _ mayWait: Bool,
        _ isKnown: Bool
    ) throws(DatabaseFault) -> FileReading? {
        let reading = try read(row, unless: known, seen: seen, mayWait: mayWait, isKnown: isKnown)
        guard isKnown, reading == .absent else { return reading }
        return try signature(of: row, isKnown: true) == nil ? nil : reading
    }
}

extension DatabaseDocument {
    fileprivate func obstacle(_ fault: DatabaseFault) -> ReadObstacle {
        switch fault.obstacle(of: file) {
        case nil, .unreadable, .notRegular: .store(StoreProblem(file.path, .database(fault)))
        case let obstacle?: obstacle
        }
    }
}
