package import FileSystem
internal import Glibc
package import Model
package import Replica

/// The compare-and-swap of one document. Nothing is destroyed unread: what stood at the target is taken aside
/// whole, by a rename, and examined there. It is never swapped back, for that could displace a second racer
/// unseen.
extension FileSystem {
    /// Writes `bytes` beside `target`, where `expected` is to be replaced. `model` is the file whose mode,
    /// owner and attributes it takes; `source`, what the other side holds, if that is all that it says;
    /// `isReadOnly`: without the right to write; `mark`: by which it is known for what it is.
    package func stage(
        _ bytes: [UInt8],
        digest: Digest,
        for target: Location,
        replacing expected: Digest?,
        like model: Location?,
        source: Digest? = nil,
        number: UInt64,
        synced: Bool,
        isReadOnly: Bool = false,
        mark: PublicationMark? = nil
    ) throws(FileError) -> Staged {
        let name = TemporaryName(
            of: target.path,
            content: digest,
            expected: expected,
            source: source,
            number: number
        )
        let temporary = try target.sibling(name.text)
        let handle = try create(temporary)
        do {
            defer { close(handle) }
            try write(bytes, to: handle)
            // Before the owner and the mode, which may take the right to it.
            if let mark { give(handle, mark.bytes(at: target, digest)) }
            if let model { try copyAttributes(of: model, to: handle) }
            if isReadOnly { try makeReadOnly(handle) }
            if synced { try sync(handle) }
            let signature = try status(of: handle).signature
            return Staged(target: target, temporary: temporary, digest: digest, signature: signature)
        } catch {
            // A failed write or fsync is never tried again on the same file.
            try? remove(temporary)
            throw error
        }
    }

    /// Where there can be none, or no room for it, a publication is as good as ever.
    private func give(_ handle: Handle, _ mark: [UInt8]) {
        try? setAttribute(OwnAttribute.publication, of: handle, to: mark)
    }

    /// Gives `staged` its name. `expected` says whether a document is there to be replaced; its content is
    /// examined afterwards, in what came out. `.raced` leaves nothing of ours behind.
    package func publish(_ staged: Staged, replacing expected: Bool) throws(FileError) -> Publication {
        do {
            if expected {
                try rename(staged.temporary, to: staged.target, .exchange)
            } else {
                try move(staged.temporary, to: staged.target)
            }
        } catch .exists where !expected {
            try remove(staged.temporary)
            return .raced
        } catch .missing where expected {
            try remove(staged.temporary)
            return .raced
        }
        return expected ? .replaced(displaced: staged.temporary) : .created
    }

    /// Without an exchange: what stands there gets a second name, is checked under it, and is renamed over.
    ///
    /// A save that lands between the check and the rename is lost: that window is what `status` warns of.
    /// Whoever has it open for writing is let finish, unless `waits` is off: then he writes to what came out.
    package func publishOver(
        _ staged: Staged,
        expected: Digest,
        limit: Int,
        waits: Bool = true
    ) throws(FileError) -> Publication {
        // Before it gets a second name, which its directory's watchers would be told of.
        if waits, hasWriter(staged.target) {
            try remove(staged.temporary)
            return .raced
        }
        let aside = try staged.temporary.sibling(staged.temporary.path.name + Location.secondNameSuffix)
        do {
            try link(staged.target, to: aside)
        } catch .missing {
            try remove(staged.temporary)
            return .raced
        }
        do {
            let found = try examine(aside, limit: limit, trustUnknown: true, trustBusy: !waits) {
                $0 == expected
            }
            guard found == .expected(expected) else {
                try remove(aside)
                try remove(staged.temporary)
                return .raced
            }
            try rename(staged.temporary, to: staged.target, .replace)
        } catch {
            // A second name of what stands there, and no more than that.
            try? remove(aside)
            throw error
        }
        return .replaced(displaced: aside)
    }

    private func hasWriter(_ file: Location) -> Bool {
        guard let handle = try? open(file) else { return false }
        defer { close(handle) }
        return isOpenForWriting(handle) == true
    }

    /// Takes a document's name away. What it held lies at the returned place, unread; `nil` where it was gone
    /// already.
    package func displace(
        _ target: Location,
        expected: Digest,
        number: UInt64
    ) throws(FileError) -> Location? {
        let name = TemporaryName(of: target.path, content: nil, expected: expected, number: number)
        let aside = try target.sibling(name.text)
        do {
            do {
                try rename(target, to: aside, .exclusive)
            } catch .unsupported(.rename, _) {
                // In one call, whatever the file system: a second name and then a removal would take the save
                // of a racer who comes in between. The new name is ours alone, so nothing is replaced by it.
                try rename(target, to: aside, .replace)
            }
        } catch .missing {
            return nil
        }
        return aside
    }

    /// Looks at what was put aside. A writer that still holds it open can change it, so it is asked for
    /// first.
    ///
    /// `trustUnknown`: where nobody can tell whether it is open, take it as it is; `trustBusy`: also where it
    /// is.
    package func examine(
        _ aside: Location,
        limit: Int,
        trustUnknown: Bool,
        trustBusy: Bool = false,
        isExpected: (Digest) -> Bool
    ) throws(FileError) -> Displaced {
        let handle = try open(aside)
        defer { close(handle) }
        switch isOpenForWriting(handle) {
        case true? where !trustBusy: return .busy
        case nil where !trustUnknown: return .busy
        default: break
        }
        let bytes = try read(handle, limit: limit + 1)
        // A part of it is no content, and must not be taken for one.
        guard bytes.count <= limit else { return .tooLarge }
        let digest = Digest(of: bytes)
        return isExpected(digest) ? .expected(digest) : .overtook(bytes)
    }
}

extension Location {
    /// Another name in the same directory: of ours, and so a plain one; but with it the path may be longer
    /// than the system allows (PATH_MAX).
    func sibling(_ name: String) throws(FileError) -> Location {
        guard let path = path.sibling(name) else { throw .system(errno: ENAMETOOLONG, .create, self) }
        return Location(root, path)
    }
}
