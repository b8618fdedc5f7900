import DirectoryReplica
import FileSystem
import Model
import Replica
import Stores

/// The steps of a change of a value that has a file of its own.
extension StoreReplica {
    /// A temporary file with the value alone.
    func valueFile(of change: StoreChange<KeyedDocument>) throws(FileError) -> Location {
        try sibling(change.temporary.path.name + "value", of: change.temporary)
    }

    /// Removes the file if it has these bytes.
    func take(_ bytes: [UInt8], from file: Location, to temporary: Location) throws(FileError) {
        guard has(file, bytes), try displace(file, to: temporary) != nil else { return }
        // Saved meanwhile. A still later save stays where it is.
        if !has(temporary, bytes), (try? files.move(temporary, to: file)) != nil { return }
        try? files.remove(temporary)
    }

    func stage(
        _ change: StoreChange<KeyedDocument>,
        for file: Location,
        over current: KeyedContent?,
        isNew: Bool
    ) throws(FileError) -> Staged {
        let bytes = change.bytes ?? []
        return try files.stageStore(
            bytes,
            over: isNew ? nil : Digest(of: bytes),
            for: file,
            like: current == nil ? change.temporary : place(change.document.file),
            at: valueFile(of: change),
            synced: settings.syncsFiles
        )
    }

    func publish(_ staged: Staged, isNew: Bool, over outside: FileContent?) throws(FileError)
        -> Publication
    {
        if isNew { return try files.publish(staged, replacing: false) }
        if base.exchanges {
            do { return try files.publish(staged, replacing: true) } catch .unsupported(.rename, _) {}
        }
        let limit = settings.maxBytes
        let found = try files.contents(of: staged.target, limit: limit + 1)
        let expected = outside?.digest ?? Digest(of: found)
        return try files.publishOver(staged, expected: expected, limit: limit)
    }

    /// Whether the displaced manifest itself has another value.
    func isOvertaken(_ document: KeyedDocument, at displaced: Location, since current: KeyedContent?)
        -> Bool
    {
        guard let (_, manifest) = displacedStore(at: displaced) else { return false }
        return !document.isElsewhere(in: manifest)
            && document.keys.contains { manifest[$0.text] != current?.file[$0.text] }
    }

    func has(_ file: Location, _ bytes: [UInt8]) -> Bool {
        (try? files.contents(of: file, limit: bytes.count + 1)) == bytes
    }

    /// A file that no program is about to refer to: it is older than a program's manifest, or the bridge's.
    func isStray(
        _ displaced: Location,
        _ before: Signature?,
        beside manifest: KeyedContent?,
        _ document: KeyedDocument
    ) -> Bool {
        if let mark = files.storeMark(of: displaced),
            let bytes = try? files.contents(of: displaced, limit: settings.maxBytes + 1),
            mark.content == Digest(of: bytes)
        {
            return true
        }
        guard let manifest, let before, !isOwn(manifest, of: document),
            let status = try? files.status(of: displaced), status.signature.isRenamed(before)
        else { return false }
        return before.changed < manifest.manifest.modified
    }

    /// Takes written bytes out of the file again, for what they displaced: its program may be about to refer
    /// to it, or has already. A later save stays.
    func withdraw(
        _ bytes: [UInt8],
        from file: Location,
        putting displaced: Location?,
        of change: StoreChange<KeyedDocument>
    ) throws(FileError) {
        guard let displaced else {
            if isReferred(change.document) != false { return }
            let taken = try valueFile(of: change)
            return try take(bytes, from: file, to: taken)
        }
        var newest = bytes
        for _ in 0..<Self.mostRacers {
            let put = try files.contents(of: displaced, limit: settings.maxBytes + 1)
            do {
                try files.rename(displaced, to: file, .exchange)
            } catch .unsupported(.rename, _) {
                return try files.rename(displaced, to: file, .replace)
            } catch .missing {
                // Its program has a shorter value by now.
                return try files.remove(displaced)
            }
            if has(displaced, newest) { return try files.remove(displaced) }
            newest = put
        }
    }
}
