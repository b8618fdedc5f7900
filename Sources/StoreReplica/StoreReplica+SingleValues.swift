import DirectoryReplica
import FileSystem
import Model
import Replica
import Stores

/// Documents whose stores have them as a whole and by single values, as far as the engine has looked at them.
final class SingleValues {
    private enum State: Equatable {
        case unknown
        /// In this state of the store, the single values are those of the document.
        case checked(Signature)
        /// The single values could not be replaced.
        case differing
    }

    private struct Look {
        var state = State.unknown
        /// The document whose values were accepted as they are.
        var accepted: Digest
    }

    private var looks: [RelativePath: Look] = [:]

    var paths: [RelativePath] { looks.keys.sorted() }
    var isDue: Bool { looks.values.contains { $0.state == .unknown } }

    func add(_ path: RelativePath, since document: Digest) {
        if looks[path] == nil { looks[path] = Look(accepted: document) }
    }
    func isAccepted(_ document: Digest, at path: RelativePath) -> Bool { looks[path]?.accepted == document }
    func accept(_ document: Digest, at path: RelativePath) { looks[path]?.accepted = document }
    func isChecked(_ path: RelativePath, _ store: Signature) -> Bool { looks[path]?.state == .checked(store) }
    func record(_ path: RelativePath, checked store: Signature?) {
        looks[path]?.state = store.map { .checked($0) } ?? .differing
    }
}

/// A program may save only the whole document. It is the source: once it has changed, the single values
/// beside it follow, so that no reader sees those of an earlier save for longer than a turn. A single value
/// that a program saves alone stays until then.
extension StoreReplica {
    /// Returns whether the store was written.
    mutating func renewValues(of path: RelativePath) -> Bool {
        guard let document = layout.keyed(path), let disagrees = document.disagrees else { return false }
        let signature = (try? storeSignature(of: document.file, isKnown: false)) ?? nil
        if let signature, singleValues.isChecked(path, signature) { return false }
        singleValues.record(path, checked: nil)
        guard let content = (try? content(document, mayWait: true)) ?? nil, !content.isBackup else {
            return false
        }
        guard let bytes = document.reading(content.file) ?? nil else {
            singleValues.record(path, checked: content.signature)
            return false
        }
        let digest = Digest(of: bytes)
        guard !singleValues.isAccepted(digest, at: path), disagrees(content.file, bytes) else {
            singleValues.record(path, checked: content.signature)
            singleValues.accept(digest, at: path)
            return false
        }
        do throws(FileError) {
            guard try replaceValues(of: path, document, by: bytes, content.signature) else { return false }
            singleValues.accept(digest, at: path)
            return true
        } catch {
            return false
        }
    }

    private mutating func replaceValues(
        of path: RelativePath,
        _ document: KeyedDocument,
        by bytes: [UInt8],
        _ signature: Signature
    ) throws(FileError) -> Bool {
        let (digest, number) = (Digest(of: bytes), UInt64(bitPattern: signature.changed))
        let name = TemporaryName(of: path, content: digest, expected: digest, number: number)
        let temporary = try sibling(name.text, of: place(path))
        try base.makeDirectories(above: path)
        let change = StoreChange(to: bytes, of: place(path), in: document, named: temporary)
        guard let displaced = try exchange(change, over: .some(digest)) ?? nil else { return false }
        _ = try settle(displaced, change, over: digest)
        return true
    }
}
