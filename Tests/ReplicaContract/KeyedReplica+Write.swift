import Model
import Replica

extension KeyedReplica {
    func prepare(_ write: DocumentWrite) throws(FileError) -> Staged {
        _ = try contents()
        let name = TemporaryName(of: write)
        let target = place(write.document)
        let temporary = try beside(write.document, name)
        let version = store.nextVersion()
        let entry = KeyedStore.Entry(
            bytes: write.bytes,
            key: store.key(of: write.document),
            modified: version,
            changed: version,
            isReadOnly: write.isReadOnly,
            mark: write.mark?.bytes(at: target, write.digest)
        )
        store.standing?.aside[temporary.path] = entry
        return Staged(
            target: target,
            temporary: temporary,
            digest: write.digest,
            signature: store.signature(of: entry)
        )
    }

    private func beside(_ document: RelativePath, _ name: TemporaryName) throws(FileError) -> Location {
        // With the bridge's temporary name the key may be too long for a path.
        guard let path = document.sibling(name.text) else { throw .unsupported(.create, place(document)) }
        return place(path)
    }

    /// The store survives whatever its servers survive, so there is nothing to sync.
    func sync(_ staged: Staged) throws(FileError) { _ = try entry(at: staged.temporary) }

    func remove(_ place: Location) throws(FileError) {
        _ = try entry(at: place)
        store.standing?.documents[place.path] = nil
        store.standing?.aside[place.path] = nil
    }

    func commit(_ staged: Staged, over expected: Digest?, waits: Bool) throws(FileError) -> Publication {
        let path = staged.target.path
        let prepared = try entry(at: staged.temporary)
        store.meanwhile(path)
        let fate = store.fate(path)
        if case .pending(let arrival, _) = fate {
            // A replacement is in the network from now on.
            if expected != nil { store.standing?.aside[staged.temporary.path] = nil }
            return send(staged, prepared, over: expected, fate, arrival)
        }
        let old = try contents().documents[path]
        guard fate == .answered, old?.digest == expected else {
            store.standing?.aside[staged.temporary.path] = nil
            return .raced
        }
        store.standing?.documents[path] = store.renamed(prepared, for: path)
        store.standing?.aside[staged.temporary.path] = old
        return old == nil ? .created : .replaced(displaced: staged.temporary)
    }

    /// The prepared content stays until the commit has arrived: without it, the document would look
    /// created.
    func create(_ staged: Staged) throws(FileError) -> Publication {
        let path = staged.target.path
        let prepared = try entry(at: staged.temporary)
        store.meanwhile(path)
        let fate = store.fate(path)
        if case .pending(let arrival, _) = fate {
            return send(staged, prepared, over: nil, fate, arrival)
        }
        guard fate == .answered, try contents().documents[path] == nil else { return .raced }
        store.standing?.documents[path] = store.renamed(prepared, for: path)
        store.standing?.aside[staged.temporary.path] = nil
        return .created
    }

    private func send(
        _ staged: Staged,
        _ entry: KeyedStore.Entry,
        over expected: Digest?,
        _ fate: CommitFate,
        _ arrival: Duration?
    ) -> Publication {
        let request = KeyedStore.Request(
            session: session,
            staged: staged,
            entry: entry,
            expected: expected,
            arrival: arrival.map { store.now + $0 },
            tellings: fate.tellings(since: store.now)
        )
        store.send(request)
        return .pending
    }

    /// The current content is displaced, whatever it is: `examine` compares it with the expected one.
    func displace(_ path: RelativePath, expected: Digest, number: UInt64) throws(FileError) -> Location? {
        store.meanwhile(path)
        guard let old = try contents().documents[path] else { return nil }
        let name = TemporaryName(of: path, content: nil, expected: expected, number: number)
        let aside = try beside(path, name)
        store.standing?.documents[path] = nil
        store.standing?.aside[aside.path] = old
        _ = store.nextVersion()
        return aside
    }

    func move(_ old: RelativePath, to new: RelativePath) throws(FileError) {
        guard let entry = try contents().documents[old] else { throw .missing(place(old)) }
        if try contents().documents[new] != nil { throw .exists(place(new)) }
        store.standing?.documents[old] = nil
        store.standing?.documents[new] = store.renamed(entry, for: new)
    }

    // MARK: What came out

    func examine(
        _ place: Location,
        trustUnknown: Bool,
        isExpected: (Digest) -> Bool
    ) throws(FileError) -> Displaced {
        let entry = try entry(at: place)
        if entry.bytes.count > settings.maxBytes { return .tooLarge }
        let digest = entry.digest
        return isExpected(digest) ? .expected(digest) : .overtook(entry.bytes)
    }

    func restore(_ place: Location, as path: RelativePath) throws(FileError) {
        guard let entry = try contents().aside[place.path] else { throw .missing(place) }
        if try contents().documents[path] != nil { throw .exists(self.place(path)) }
        store.standing?.aside[place.path] = nil
        store.standing?.documents[path] = store.renamed(entry, for: path)
    }

    func exchange(_ place: Location, with path: RelativePath) throws(FileError) {
        guard let aside = try contents().aside[place.path] else { throw .missing(place) }
        guard let document = try contents().documents[path] else { throw .missing(self.place(path)) }
        store.standing?.aside[place.path] = document
        store.standing?.documents[path] = store.renamed(aside, for: path)
    }
}
