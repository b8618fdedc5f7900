import Model
import Stores

/// The store that was parsed last, and its bytes with the changes that were last asked for: who asks whether
/// a change is possible makes it next. Copies of a replica share it, and contents of other bytes are never
/// returned.
final class ParsedStore {
    private var file: (digest: Digest, file: any KeyedFile)?
    private var replaced: (digest: Digest, changes: [String: StoreValue?], bytes: [UInt8])?

    /// A larger one is parsed anew, and does not take up memory meanwhile.
    private static let mostBytes = 4 << 20

    func file(
        _ bytes: [UInt8],
        _ digest: Digest,
        _ format: KeyedFormat
    ) throws(StoreFault) -> any KeyedFile {
        if let file, file.digest == digest, format.hasType(of: file.file) { return file.file }
        let parsed = try format.parse(bytes)
        file = bytes.count > Self.mostBytes ? nil : (digest, parsed)
        return parsed
    }

    /// The bytes of a file that has this digest, with these changes.
    func bytes(
        of file: any KeyedFile,
        _ digest: Digest,
        replacing changes: [String: StoreValue?]
    ) throws(StoreFault) -> [UInt8] {
        if let replaced, replaced.digest == digest, replaced.changes == changes { return replaced.bytes }
        let bytes = try file.replacing(changes)
        replaced = bytes.count > Self.mostBytes ? nil : (digest, changes, bytes)
        return bytes
    }

    func forgetReplaced() { replaced = nil }
}

extension KeyedFormat {
    /// Whether it would parse a file to this type.
    fileprivate func hasType(of file: any KeyedFile) -> Bool { type(of: file) == type(of: empty()) }
}
