import CLinux
import Documents
import FileSystem
package import Model

// Which documents there are, and what they contain.
extension Observer {
    private static let mostDocuments = 10_000
    private static let largestDocument = 64 << 20

    package func isWatched(_ path: RelativePath) -> Bool {
        if !settings.documents.isEmpty { return settings.documents.contains(path) }
        return settings.profile?.isDocument(path.description) ?? isDocumentName(path.description)
    }

    func listed() -> [RelativePath] {
        var found: Set<RelativePath> = []
        var open = [Directory(.app), Directory(.group)]
        while let directory = open.popLast(), found.count < Self.mostDocuments {
            do { try watch?.add(directory) } catch { add(.kernelSilent(errno: error.code)) }
            for entry in (try? files.list(directory)) ?? [] {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let path = RelativePath.child(of: directory.path, name)
                else { continue }
                if entry.kind == .directory { open.append(Directory(directory.root, path)) }
                if entry.kind == .regular, isWatched(path) { found.insert(path) }
            }
        }
        if found.count >= Self.mostDocuments { add(.tooManyDocuments(Self.mostDocuments)) }
        return found.union(settings.documents).sorted()
    }

    /// Reads every document, whether or not it is known to have changed.
    func lookAtAll() {
        for path in Set(listed() + sightings.documents).sorted() {
            for side in Side.allCases { look(path, side, isHinted: true, isForChanges: true) }
        }
    }

    /// - Parameter isForChanges: a content that is known is no read.
    func look(_ path: RelativePath, _ side: Side, isHinted: Bool, isForChanges: Bool = false) {
        let file = Location(side, path)
        let signature = (try? files.status(of: file))?.signature
        if !isHinted, signature == signatures[file] { return }
        let last = lookedAt.updateValue(now, forKey: file) ?? .zero
        drain()
        if signature?.inode != signatures[file]?.inode { watch?.follow(file) }
        if watch?.looks(at: file) == true {
            let document = sightings.number(of: path)
            sightings.evidence.missed.append(
                Evidence.Missed(document, side, after: last, before: now, isOfBridge: isWaiting(side))
            )
        }
        do throws(FileError) {
            let bytes = try content(file)
            let isNew = sightings.isNew(path, side, bytes)
            if isSavedAgain(file, signature), !isNew, bytes != nil { sawAgain(path, side) }
            if isForChanges, !isNew {
                signatures[file] = signature
                return
            }
            if isNew {
                if lookFirst(at: Location(side.other, path), before: file) {
                    // Meanwhile something newer may have come, and been noted.
                    return look(path, side, isHinted: true, isForChanges: isForChanges)
                }
                sawChange(of: path, side, bytes, signature)
            } else {
                hearCalls()
                sightings.saw(path, side, bytes, at: now)
            }
            looks += 1
            signatures[file] = signature
        } catch {
            add(.unreadable(file, error))
            sightings.cannotRead(path)
        }
    }

    private func sawChange(of path: RelativePath, _ side: Side, _ bytes: [UInt8]?, _ signature: Signature?) {
        let file = Location(side, path)
        let isUnfinished = isUnfinished(file, bytes)
        let isRenamed = isRenamed(file, signature)
        let isDeleted = bytes == nil && watch?.isDeleted(file) == true
        let isMoved = bytes == nil && watch?.isMoved(file) == true
        hearCalls()
        sightings.saw(
            path,
            side,
            bytes,
            isUnfinished: isUnfinished,
            isRenamed: isRenamed,
            isDeleted: isDeleted,
            isMoved: isMoved,
            isOfWaiting: isWaiting(side),
            at: now
        )
        // What was renamed there is not only there under the lock.
        if !isRenamed, bytes != nil { sightings.changedUnder(locks(of: path, side), path, side) }
    }

    private func sawAgain(_ path: RelativePath, _ side: Side) {
        hearCalls()
        sightings.rewrote(path, side, isOfWaiting: isWaiting(side), at: now)
    }

    /// Whether it is another file than when it was last read, or was written to since.
    ///
    /// - Parameter signature: before it was read.
    private func isSavedAgain(_ file: Location, _ signature: Signature?) -> Bool {
        let after = (try? files.status(of: file))?.signature
        let before = steady[file]
        steady[file] = after == signature ? signature : nil
        guard let before, let now = steady[file] else { return false }
        return !now.isOf(before) || now.modified != before.modified
    }

    /// The bridge may have brought what is new from the other side, which changed first. Returns whether it
    /// was looked at.
    private func lookFirst(at other: Location, before file: Location) -> Bool {
        drain()
        let (first, last) = (hints.firstIndex(of: .look(other)), hints.lastIndex(of: .look(file)))
        guard let first, let side = other.side, first < last ?? 0 else { return false }
        hints.remove(at: first)
        look(other.path, side, isHinted: true, isForChanges: true)
        return true
    }

    /// Whether a program writes over a content of the same length, and has not closed the file since; `nil`
    /// if that is unknown.
    private func isUnfinished(_ file: Location, _ bytes: [UInt8]?) -> Bool? {
        guard let last = signatures[file], let now = (try? files.status(of: file))?.signature,
            last.inode == now.inode, last.size == now.size
        else { return false }
        // The write may have come between the look at the file's state and the reading of its content.
        guard let again = try? content(file), again == bytes else { return nil }
        let container = file.root == .app ? settings.app : settings.group
        let isOpen = OpenFiles.isOpenForWriting("\(container)/\(file.path)")
        return isOpen == true && (try? files.status(of: file))?.signature != now ? nil : isOpen
    }

    /// Whether the content that was just read came by a rename, and was not written to since.
    private func isRenamed(_ file: Location, _ signature: Signature?) -> Bool {
        drain()
        return watch?.isRenamed(file) == true && signature?.inode != signatures[file]?.inode
    }

    func content(_ file: Location) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            let bytes = try files.contents(of: file, limit: Self.largestDocument + 1)
            guard bytes.count <= Self.largestDocument else { throw .unsupported(.read, file) }
            return bytes
        } catch {
            switch error {
            case .missing, .noDirectory: return nil
            default: throw error
            }
        }
    }
}
