import DirectoryReplica
import FileSystem
package import Model
package import Replica
import Stores

/// A store that an exchange displaced, as it should be if no other program saved meanwhile.
struct DisplacedStore {
    let document: KeyedDocument
    let content: KeyedContent
}

/// The compare-and-swap of a value in a store: the store is exchanged as a whole, and what a racing program
/// saved is merged forward by key. Nothing is swapped back.
extension StoreReplica {
    static var mostRacers: Int { 16 }

    /// The displaced store, or `.some(nil)` if there was none; `nil` if the document was not as expected, and
    /// nothing was changed. `expected`: `nil` for any content.
    /// `waits`: not while a program has the store open.
    mutating func exchange(
        _ change: StoreChange<KeyedDocument>,
        over expected: Digest??,
        waits: Bool = true
    ) throws(FileError) -> Location?? {
        let document = change.document
        let current: KeyedContent?
        let standing: [UInt8]?
        let changes: StoreChanges
        do {
            current = try loadedToWrite(document, waits: waits)
            if current?.isBackup == true { return nil }
            if let current {
                standing = try value(of: document, in: current)
            } else {
                standing = try document.bytes(in: document.format.empty())
            }
            changes = try parsed.changes(of: change.target.path, document, to: change.bytes)
        } catch {
            // The engine reads it again, and finds why.
            return nil
        }
        if let expected, standing.map({ Digest(of: $0) }) != expected { return nil }
        if change.bytes == nil, standing == nil { return nil }
        if let file = document.valueFile.map(place) {
            if let current, current.outside != nil, change.bytes == nil {
                return try removeValue(change, at: file, from: current)
            }
            let isOutside = current.map { $0.outside != nil || $0.refers(to: document) } ?? false
            if let bytes = change.bytes, isOutside || AsyncStorageManifest.isLong(bytes) {
                if current == nil { try base.makeDirectories(above: document.file) }
                return try putValue(change, at: file, over: current)
            }
        }
        return try exchange(change, changes, over: current)
    }

    /// The same, whatever the document is.
    mutating func exchange(
        _ change: StoreChange<KeyedDocument>,
        _ changes: StoreChanges,
        over current: KeyedContent?
    ) throws(FileError) -> Location?? {
        let document = change.document
        if current == nil { try base.makeDirectories(above: document.file) }
        let name = change.temporary.path.name + StoreMark.suffix
        let (staged, bytes) = try stage(
            changes,
            over: current,
            document,
            like: change.temporary,
            at: sibling(name, of: change.temporary)
        )
        let publication: Publication
        do { publication = try publish(staged, over: current) } catch {
            removeUnpublished(staged)
            throw error
        }
        switch publication {
        case .raced, .pending: return nil
        case .created:
            add(change, staged, bytes)
            return .some(nil)
        case .replaced(let displaced):
            add(change, staged, bytes)
            if let current { unsettled[displaced] = DisplacedStore(document: document, content: current) }
            return displaced
        }
    }

    /// If it is no displaced store.
    private func removeUnpublished(_ staged: Staged) {
        let name = staged.temporary.path.name
        guard files.storeMark(of: staged.temporary)?.isUnpublished(at: name) == true else { return }
        try? files.remove(staged.temporary)
    }

    private mutating func add(_ change: StoreChange<KeyedDocument>, _ staged: Staged, _ store: [UInt8]) {
        let document = change.document
        if document.isComposed { last[change.target.path] = change.bytes }
        published[change.target] = change.bytes == nil ? nil : (change.temporary, staged.signature)
        if change.bytes == nil || document.valueFile != nil { return }
        parsed.remember(published: store, as: staged, document.format)
    }

    /// Writes the store with these changes to a temporary file of the document. A new one has the rights of
    /// `model`.
    private func stage(
        _ changes: StoreChanges,
        over current: KeyedContent?,
        _ document: KeyedDocument,
        like model: Location? = nil,
        at temporary: Location
    ) throws(FileError) -> (Staged, [UInt8]) {
        let target = place(document.file)
        let bytes: [UInt8]
        do throws(StoreFault) {
            bytes = try self.bytes(of: current, document, replacing: changes)
            parsed.forgetChange()
        } catch {
            throw .unsupported(.write, target)
        }
        let staged = try files.stageStore(
            bytes,
            over: current?.digest,
            for: target,
            like: model,
            at: temporary,
            synced: settings.syncsFiles
        )
        return (staged, bytes)
    }

    private func publish(_ staged: Staged, over current: KeyedContent?) throws(FileError) -> Publication {
        guard let current else { return try files.publish(staged, replacing: false) }
        if base.exchanges {
            do { return try files.publish(staged, replacing: true) } catch .unsupported(.rename, _) {}
        }
        return try files.publishOver(staged, expected: current.digest, limit: Self.maxStoreBytes)
    }

    // MARK: Settling

    /// The store that was displaced holds other keys. If a program saved the document meanwhile, its save
    /// comes back: the change has nothing that this save was to keep.
    mutating func settle(
        _ displaced: Location,
        _ change: StoreChange<KeyedDocument>,
        over expected: Digest?
    ) throws(FileError) -> Publication {
        switch try examine(displaced, trustUnknown: true, isExpected: { $0 == expected }) {
        // The engine finds it again.
        case .busy, .tooLarge: return .raced
        case .overtook where unsettled[displaced] != nil: return .raced
        case .overtook(let bytes) where !bytes.isEmpty:
            let back = StoreChange(to: bytes, of: change.target, in: change.document, named: displaced)
            if let again = try exchange(back, over: nil) ?? nil {
                unsettled[again] = nil
                try? base.remove(again)
            }
            try? base.remove(displaced)
            return .raced
        case .expected, .overtook:
            try? base.remove(displaced)
            return .created
        }
    }

    package mutating func examine(
        _ place: Location,
        trustUnknown: Bool,
        isExpected: (Digest) -> Bool
    ) throws(FileError) -> Displaced {
        guard let document = document(ofStoreAt: place) else {
            return try base.examine(place, trustUnknown: trustUnknown, isExpected: isExpected)
        }
        let known = unsettled[place]?.content
        let found = try files.examine(place, limit: Self.maxStoreBytes, trustUnknown: trustUnknown) {
            $0 == known?.digest
        }
        let bytes: [UInt8]
        switch found {
        case .expected: bytes = known?.bytes ?? []
        case .overtook(let other): bytes = other
        case .tooLarge, .busy: return found
        }
        if unsettled[place] == nil, isUnpublished(bytes, at: place) { return .expected(Digest(of: bytes)) }
        if document.isComposed, let expected = publishedOver(bytes, document, at: place) { return expected }
        let isAsKnown = if case .expected = found { true } else { false }
        // A store that cannot be read is handed on as it is: the engine keeps it as a conflict copy.
        guard let theirs = isAsKnown ? known?.file : try? document.format.parse(bytes),
            let value = reading(displaced: theirs, of: document)
        else { return .overtook(bytes) }
        if !isAsKnown, try !settle(theirs, bytes, of: document, at: place) { return .overtook(bytes) }
        let standing = known.flatMap { document.reading($0.file) } ?? nil
        // A program that removed the key did not see the value that replaces it: the value stays.
        let content = value ?? standing ?? []
        let rest = try sibling(place.path.name + StoreMark.settledSuffix, of: place)
        try files.replace(place, with: content, through: rest)
        try takeAway(content, displacedWith: theirs, of: document, named: rest)
        unsettled[place] = nil
        if content.count > settings.maxBytes { return .tooLarge }
        let digest = Digest(of: content)
        return isExpected(digest) || content.isEmpty ? .expected(digest) : .overtook(content)
    }

    /// Left by a run that was killed before the exchange; empty if it was killed before it had set the mark.
    private func isUnpublished(_ bytes: [UInt8], at place: Location) -> Bool {
        bytes.isEmpty || files.storeMark(of: place)?.isUnpublished(at: place.path.name) == true
    }

    /// A killed run displaced it, and it is the content that the current store was to replace. What its
    /// single values do not express is not known any more, so the whole store is compared.
    private func publishedOver(
        _ bytes: [UInt8],
        _ document: KeyedDocument,
        at place: Location
    ) -> Displaced? {
        guard unsettled[place] == nil, let mark = files.storeMark(of: self.place(document.file)),
            mark.base == Digest(of: bytes), let current = (try? content(document, mayWait: false)) ?? nil,
            mark.content == current.digest
        else { return nil }
        return .expected(Digest(of: bytes))
    }

    /// Makes a displaced program's changes of other keys to the current store. `false` if it is unknown which
    /// of the two is newer.
    private func settle(
        _ theirs: any KeyedFile,
        _ bytes: [UInt8],
        of document: KeyedDocument,
        at place: Location
    ) throws(FileError) -> Bool {
        if let known = unsettled[place] {
            let changes = known.content.file.changes(to: theirs, except: document.keys)
            try forward(changes, since: known.content.file, of: document, at: place)
            return true
        }
        // A killed run left it.
        guard let current = (try? content(document, mayWait: false)) ?? nil else { return true }
        let changes = current.file.changes(to: theirs, except: document.keys)
        if changes.isEmpty { return true }
        let digest = Digest(of: bytes)
        guard let mark = files.storeMark(of: self.place(document.file)), mark.content == current.digest else {
            return false
        }
        if mark.base != digest { try forward(changes, since: current.file, of: document, at: place) }
        return true
    }

    /// Makes changes of a displaced program to the current store, and then those of any program that this
    /// displaces.
    private func forward(
        _ changes: StoreChanges,
        since before: any KeyedFile,
        of document: KeyedDocument,
        at place: Location
    ) throws(FileError) {
        var (changes, since) = (changes, before)
        var carried: Location?
        for number in 0..<Self.mostRacers {
            let temporary = try sibling("\(place.path.name)\(StoreMark.forwardSuffix)\(number)", of: place)
            // Left by a killed run.
            if (try? base.status(of: temporary)) != nil { continue }
            guard let current = (try? content(document, mayWait: false)) ?? nil, !current.isBackup else {
                throw .unsupported(.rename, place)
            }
            let due = current.file.applicable(changes, since: since)
            if due.isEmpty { break }
            let (staged, _) = try stage(due, over: current, document, at: temporary)
            guard case .replaced(let displaced) = try publish(staged, over: current) else { continue }
            if let carried { try? files.remove(carried) }
            carried = displaced
            guard
                case .overtook(let bytes) = try files.examine(
                    displaced,
                    limit: Self.maxStoreBytes,
                    trustUnknown: true,
                    trustBusy: true,
                    isExpected: { $0 == current.digest }
                ),
                let theirs = try? document.format.parse(bytes)
            else { break }
            (changes, since) = (current.file.changes(to: theirs), current.file)
        }
        if let carried { try? files.remove(carried) }
    }

    /// The document of a temporary file that is a store; `nil` if it is no store, or settled.
    private func document(ofStoreAt place: Location) -> KeyedDocument? {
        if let known = unsettled[place] { return known.document }
        guard place.side == side, StoreMark.isStore(place.path.name),
            let name = TemporaryName(place.path.name), files.storeMark(of: place) != .settled,
            let path = layout.paths.first(where: {
                $0.directory == place.path.directory && name.belongs(to: $0)
            })
        else { return nil }
        guard case .keyed(let document)? = self.document(path) else { return nil }
        return document
    }

    /// A displaced store of a killed run, or of this one.
    func displacedStore(at place: Location) -> (KeyedDocument, any KeyedFile)? {
        guard let document = document(ofStoreAt: place),
            let bytes = try? files.contents(of: place, limit: Self.maxStoreBytes),
            let file = try? document.format.parse(bytes)
        else { return nil }
        return (document, file)
    }
}
