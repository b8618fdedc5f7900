import DatabaseStore
import DirectoryReplica
import FileSystem
internal import Glibc
package import Model
package import Replica

extension StoreReplica {
    /// The bytes of a new document wait in a file of their own: after a crash, a document whose creation was
    /// announced would otherwise count as created. So do those of a document in a directory, which must be
    /// there for the temporary files of the store.
    package func prepare(_ write: DocumentWrite) throws(FileError) -> Staged {
        if layout[write.document] != nil, write.expected != nil, write.document.directory == nil {
            let target = place(write.document)
            let temporary = try sibling(TemporaryName(of: write).text, of: target)
            return Staged(holding: write.bytes, digest: write.digest, for: target, named: temporary)
        }
        var write = write
        let (isInStore, isNew) = (layout[write.document] != nil, write.expected == nil)
        if isInStore {
            // The mark describes a file with nothing but the document.
            write.mark = nil
            // Only a new store takes over rights, and only an announced creation must survive a power cut.
            write.hasDefaultMode = isNew
            write.isSynced = write.isSynced && isNew
        }
        write.model = isInStore && !isNew ? nil : write.model.flatMap(model)
        return try base.prepare(write)
    }

    /// The file whose rights are taken over: that of the document, or of its store. `nil` if there is none,
    /// or if it is a database, which must not be opened as a file.
    private func model(_ file: Location) -> Location? {
        let model: Location
        switch (file.side == side ? layout : otherLayout)[file.path] {
        case nil: model = file
        case .keyed(let document): model = Location(file.root, document.file)
        case .row: return nil
        }
        return (try? files.status(of: model))?.kind == .regular ? model : nil
    }

    /// A store is synced when it is written.
    package func sync(_ staged: Staged) throws(FileError) {
        if layout[staged.target.path] == nil { try base.sync(staged) }
    }

    package func remove(_ place: Location) throws(FileError) { try base.remove(place) }

    package mutating func commit(_ staged: Staged, over expected: Digest?, waits: Bool) throws(FileError)
        -> Publication
    {
        guard let document = document(staged.target.path) else {
            return try base.commit(staged, over: expected, waits: waits)
        }
        let publication = try commit(staged, document, over: expected, waits: waits)
        // Only now: until the commit it shows that there was none.
        try? abandon(staged)
        return publication
    }

    package mutating func create(_ staged: Staged) throws(FileError) -> Publication {
        guard let document = document(staged.target.path) else { return try base.create(staged) }
        let publication = try commit(staged, document, over: nil)
        if publication != .raced { try? abandon(staged) }
        return publication
    }

    private mutating func commit(
        _ staged: Staged,
        _ document: StoredDocument,
        over expected: Digest?,
        waits: Bool = true
    ) throws(FileError) -> Publication {
        let bytes: [UInt8]
        if let content = staged.content {
            bytes = content
        } else {
            bytes = try files.contents(of: staged.temporary, limit: settings.maxBytes + 1)
        }
        switch document {
        case .row(let row):
            let change = StoreChange(to: bytes, of: staged.target, in: row, named: staged.temporary)
            switch try swap(change, over: expected) {
            case nil: return .raced
            case .some(let displaced?): return .replaced(displaced: displaced)
            case .some(nil): return .created
            }
        case .keyed(let keyed):
            let change = StoreChange(to: bytes, of: staged.target, in: keyed, named: staged.temporary)
            switch try exchange(change, over: .some(expected), waits: waits) {
            case nil: return .raced
            case .some(let displaced?) where expected != nil: return .replaced(displaced: displaced)
            case .some(let displaced?): return try settle(displaced, change, over: nil)
            case .some(nil): return .created
            }
        }
    }

    package mutating func displace(
        _ path: RelativePath,
        expected: Digest,
        number: UInt64
    ) throws(FileError) -> Location? {
        guard let document = document(path) else {
            return try base.displace(path, expected: expected, number: number)
        }
        let name = TemporaryName(of: path, content: nil, expected: expected, number: number)
        let temporary = try sibling(name.text, of: place(path))
        return try replace(document, by: nil, of: place(path), named: temporary)
    }

    /// Replaces whatever the document is; the displaced content, or `nil` if there was none.
    private mutating func replace(
        _ document: StoredDocument,
        by bytes: [UInt8]?,
        of target: Location,
        named temporary: Location
    ) throws(FileError) -> Location? {
        switch document {
        case .keyed(let keyed) where keyed.format.isWhole && bytes == nil:
            return try displace(place(keyed.file), to: temporary)
        case .keyed(let keyed):
            let change = StoreChange(to: bytes, of: target, in: keyed, named: temporary)
            return try exchange(change, over: nil) ?? nil
        case .row(let row):
            let change = StoreChange(to: bytes, of: target, in: row, named: temporary)
            for _ in 0..<Self.mostRacers {
                guard let standing = try standing(document) else { return nil }
                if let displaced = try swap(change, over: Digest(of: standing)) { return displaced }
            }
            throw .system(errno: EBUSY, .lock, row.file)
        }
    }

    /// `nil` if there is no such file.
    func displace(_ file: Location, to temporary: Location) throws(FileError) -> Location? {
        do {
            do { try files.rename(file, to: temporary, .exclusive) } catch .unsupported(.rename, _) {
                // The name is unique, so the rename replaces nothing.
                try files.rename(file, to: temporary, .replace)
            }
        } catch .missing {
            return nil
        }
        return temporary
    }

    /// A value has no other name.
    package func move(_ old: RelativePath, to new: RelativePath) throws(FileError) {
        guard layout[old] == nil, layout[new] == nil else { throw .unsupported(.rename, place(old)) }
        try base.move(old, to: new)
    }

    // MARK: Displaced files

    package func restore(_ place: Location, as path: RelativePath) throws(FileError) {
        guard let document = document(path) else { return try base.restore(place, as: path) }
        let (bytes, target) = (try contents(of: place, limit: settings.maxBytes + 1), self.place(path))
        var copy = self
        switch document {
        case .row(let row):
            let change = StoreChange(to: bytes, of: target, in: row, named: place)
            guard try copy.swap(change, over: nil) != nil else { throw .exists(target) }
        case .keyed(let keyed):
            let change = StoreChange(to: bytes, of: target, in: keyed, named: place)
            guard let displaced = try copy.exchange(change, over: .some(nil)) else { throw .exists(target) }
            if let displaced { try copy.settleRest(displaced) }
        }
        try base.remove(place)
    }

    package func exchange(_ place: Location, with path: RelativePath) throws(FileError) {
        guard let document = document(path) else { return try base.exchange(place, with: path) }
        let (bytes, target) = (try contents(of: place, limit: settings.maxBytes + 1), self.place(path))
        var copy = self
        guard let displaced = try copy.replace(document, by: bytes, of: target, named: place) else {
            throw .missing(target)
        }
        _ = try copy.examine(displaced, trustUnknown: true) { _ in true }
        try files.rename(displaced, to: place, .replace)
    }

    /// A displaced store whose document is of no interest.
    mutating func settleRest(_ displaced: Location) throws(FileError) {
        _ = try examine(displaced, trustUnknown: true) { _ in true }
        try base.remove(displaced)
    }

    func sibling(_ name: String, of place: Location) throws(FileError) -> Location {
        guard let path = place.path.sibling(name) else { throw .unsupported(.create, place) }
        return Location(place.root, path)
    }
}
