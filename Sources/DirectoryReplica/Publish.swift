package import FileSystem
internal import Glibc
package import Model
package import Replica

/// The compare-and-swap of one document. No content is destroyed unread: a rename moves the previous file
/// aside as a whole, and it is examined there. It is never swapped back, since that could displace another
/// racing save unread.
extension FileSystem {
    /// Writes `bytes` to a temporary file beside `target`, to replace `expected`. `model` is the file whose
    /// mode, owner and attributes it gets; `hasDefaultMode`: without one, it gets the mode of any new file;
    /// `source`, the other side's content, if `bytes` is only a copy of it; `isReadOnly`: without write
    /// permission; `mark`: the publication mark.
    package func stage(
        _ bytes: [UInt8],
        digest: Digest,
        for target: Location,
        replacing expected: Digest?,
        like model: Location?,
        hasDefaultMode: Bool = false,
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
            // Set before the owner and the mode, which may remove the permission to do it.
            if let mark { give(handle, mark.bytes(at: target, digest)) }
            if let model { try copyAttributes(of: model, to: handle) }
            if model == nil, hasDefaultMode { try setDefaultMode(of: handle) }
            if isReadOnly { try makeReadOnly(handle) }
            if synced { try sync(handle) }
            let signature = try status(of: handle).signature
            return Staged(target: target, temporary: temporary, digest: digest, signature: signature)
        } catch {
            // A failed write or fsync is never retried on the same file.
            try? remove(temporary)
            throw error
        }
    }

    /// The mark is optional: without it, or without room for it, the publication is still correct.
    private func give(_ handle: Handle, _ mark: [UInt8]) {
        try? setAttribute(OwnAttribute.publication, of: handle, to: mark)
    }

    /// Renames `staged` to its target. `expected`: whether the target should exist; the displaced file is
    /// examined afterwards. `.raced` leaves no temporary file behind.
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

    /// Publishes without an exchange: links the current file to a second name, checks it there, and renames
    /// the new one over it. Without links the second name gets a copy, and the current file is checked again.
    ///
    /// A save between the check and the rename is lost; `status` warns of that. If a program has the file
    /// open for writing, the call waits for it to finish, unless `waits` is false: then the program goes on
    /// writing to the displaced file.
    package func publishOver(
        _ staged: Staged,
        expected: Digest,
        limit: Int,
        waits: Bool = true
    ) throws(FileError) -> Publication {
        // Checked before the link, which would trigger an event in the directory.
        if waits, hasWriter(staged.target) {
            try remove(staged.temporary)
            return .raced
        }
        let aside = try staged.temporary.sibling(staged.temporary.path.name + Location.secondNameSuffix)
        let isLinked: Bool
        do {
            isLinked = try giveSecondName(aside, to: staged.target, limit: limit)
        } catch .missing {
            try remove(staged.temporary)
            return .raced
        }
        do {
            guard try holds(aside, expected, limit: limit, trustBusy: !waits),
                try isLinked ? true : holds(staged.target, expected, limit: limit, trustBusy: !waits)
            else {
                try remove(aside)
                try remove(staged.temporary)
                return .raced
            }
            try rename(staged.temporary, to: staged.target, .replace)
        } catch {
            // It is only a second name of the current file.
            try? remove(aside)
            throw error
        }
        return .replaced(displaced: aside)
    }

    /// - Returns: Whether it is the same file: a copy where the file system has no links.
    private func giveSecondName(_ name: Location, to file: Location, limit: Int) throws(FileError) -> Bool {
        do {
            try link(file, to: name)
            return true
        } catch .unsupported(.link, _) {
            try copy(file, to: name, limit: limit)
            return false
        }
    }

    /// The copy has the rights of its original, which the trash keeps.
    private func copy(_ file: Location, to place: Location, limit: Int) throws(FileError) {
        let bytes = try contents(of: file, limit: limit + 1)
        let handle = try create(place)
        do throws(FileError) {
            defer { close(handle) }
            try write(bytes, to: handle)
            try copyAttributes(of: file, to: handle)
        } catch {
            try? remove(place)
            throw error
        }
    }

    private func holds(
        _ file: Location,
        _ expected: Digest,
        limit: Int,
        trustBusy: Bool
    ) throws(FileError) -> Bool {
        do {
            let found = try examine(file, limit: limit, trustUnknown: true, trustBusy: trustBusy) {
                $0 == expected
            }
            return found == .expected(expected)
        } catch .missing {
            return false
        }
    }

    private func hasWriter(_ file: Location) -> Bool {
        guard let handle = try? open(file) else { return false }
        defer { close(handle) }
        return isOpenForWriting(handle) == true
    }

    /// Removes a document's name. Its file is at the returned location, unread; `nil` if it was absent
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
                // One call on every file system: a link followed by a removal could remove a racing save that
                // comes in between. The new name is unique, so the rename replaces nothing.
                try rename(target, to: aside, .replace)
            }
        } catch .missing {
            return nil
        }
        return aside
    }

    /// Reads a displaced file. A writer that still has it open can change it, so the call checks for writers
    /// first.
    ///
    /// `trustUnknown`: accept it if it is unknown whether a program has it open; `trustBusy`: also if one
    /// has.
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
        // A truncated content must not be taken for the whole.
        guard bytes.count <= limit else { return .tooLarge }
        let digest = Digest(of: bytes)
        return isExpected(digest) ? .expected(digest) : .overtook(bytes)
    }
}

extension Location {
    /// Another name in the same directory. The name is valid, but the path may become longer than PATH_MAX.
    func sibling(_ name: String) throws(FileError) -> Location {
        guard let path = path.sibling(name) else { throw .system(errno: ENAMETOOLONG, .create, self) }
        return Location(root, path)
    }
}
