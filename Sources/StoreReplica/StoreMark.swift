import DirectoryReplica
import FileSystem
import Model
import Replica

/// An extended attribute of each store that the bridge writes: which content it replaced. After a crash it
/// shows whether a displaced store is that content, or another program's save.
struct StoreMark: Hashable {
    /// The content of the file itself: after a program's write, the mark no longer matches.
    var content: Digest
    /// The content that it was to replace; of no bytes if there was none.
    var base: Digest
    /// The start of the digest of its temporary name. The file that still has this name was never published.
    private var name: UInt64

    /// Of a file that was a store, and has the bytes of its document now.
    static let settled = StoreMark(of: "")

    /// Temporary files that are stores have longer numbers than all others.
    static let suffix = "instore"
    static let forwardSuffix = "forward"
    static let settledSuffix = "settled"

    static func isStore(_ name: String) -> Bool { name.contains(suffix) }

    var bytes: [UInt8] { content.bytes + base.bytes + name.bigEndianBytes }

    init(content: Digest, base: Digest, of name: String) {
        (self.content, self.base) = (content, base)
        self.name = Digest(of: Array(name.utf8)).start
    }

    /// A mark with only the name under which the file was written: it matches no content.
    init(of name: String) { self.init(content: Digest(of: []), base: Digest(of: []), of: name) }

    func isUnpublished(at name: String) -> Bool { self.name == Digest(of: Array(name.utf8)).start }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 72, let content = Digest(bytes: Array(bytes[..<32])),
            let base = Digest(bytes: Array(bytes[32..<64]))
        else { return nil }
        (self.content, self.base, name) = (content, base, UInt64(bigEndian: bytes[64...]))
    }
}

extension FileSystem {
    /// `nil` if it has none, or cannot have one.
    func storeMark(of file: Location) -> StoreMark? {
        guard let handle = try? open(file) else { return nil }
        defer { close(handle) }
        return (try? attribute(OwnAttribute.store, of: handle)).flatMap(StoreMark.init)
    }

    /// Writes a store to a temporary file, with the rights of the current one, or of `model`.
    func stageStore(
        _ bytes: [UInt8],
        over base: Digest?,
        for target: Location,
        like model: Location? = nil,
        at temporary: Location,
        synced: Bool
    ) throws(FileError) -> Staged {
        let (digest, name) = (Digest(of: bytes), temporary.path.name)
        let mark = StoreMark(content: digest, base: base ?? Digest(of: []), of: name)
        let model = base == nil ? model : target
        return try stage(bytes, digest, mark, for: target, like: model, at: temporary, synced: synced)
    }

    /// Without a model, it gets the mode of any new file.
    func stage(
        _ bytes: [UInt8],
        _ digest: Digest,
        _ mark: StoreMark,
        for target: Location,
        like model: Location?,
        at temporary: Location,
        synced: Bool
    ) throws(FileError) -> Staged {
        let handle = try create(temporary)
        do {
            defer { close(handle) }
            // First, so that a file that is written in part has it.
            try? setAttribute(OwnAttribute.store, of: handle, to: mark.bytes)
            if !bytes.isEmpty { try write(bytes, to: handle) }
            if let model, model != target {
                // A new store can do without the rights of another file.
                try? copyAttributes(of: model, to: handle)
            } else if let model {
                try copyAttributes(of: model, to: handle)
            } else {
                try setDefaultMode(of: handle)
            }
            if synced { try sync(handle) }
            let signature = try status(of: handle).signature
            return Staged(target: target, temporary: temporary, digest: digest, signature: signature)
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Replaces a displaced store by the bytes of its document.
    func replace(_ place: Location, with bytes: [UInt8], through temporary: Location) throws(FileError) {
        // Of a killed run: the file has what it was made of.
        do throws(FileError) { try remove(temporary) } catch .missing {}
        do {
            let handle = try create(temporary)
            defer { close(handle) }
            if !bytes.isEmpty { try write(bytes, to: handle) }
            try? setAttribute(OwnAttribute.store, of: handle, to: StoreMark.settled.bytes)
        } catch {
            try? remove(temporary)
            throw error
        }
        try rename(temporary, to: place, .replace)
    }
}
