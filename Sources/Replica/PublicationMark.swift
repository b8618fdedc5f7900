package import Model

/// What a file that the bridge has published says of itself, in an extended attribute: that it was the bridge
/// of this pair who put these very bytes at this place, and where in the document's story that was.
///
/// A journal may know less than what was published: its disk was full, or it was restored from a copy. The
/// attribute comes and goes with the file. Whoever writes to that, or gives it another name, leaves an
/// attribute that does not fit, and it is not believed.
///
/// Of 42 bytes: so it lies in the inode itself (ext4 with inodes of 256 bytes) and costs no block of its own.
package struct PublicationMark: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        /// All that it says the other side held when it was published.
        case carried
        /// The other side was written to as well, the app first.
        case merged
        case view
    }

    package let kind: Kind
    /// Tells one pair of containers from others, whatever becomes of their journal.
    package let pair: UInt64
    package let generation: Int64
    /// The beginning of the digest of what the other side held before; zero where it held nothing.
    private let source: UInt64

    package init(_ kind: Kind, pair: UInt64, generation: Int64, source: Digest?) {
        self.kind = kind
        self.pair = pair
        self.generation = generation
        self.source = source?.start ?? 0
    }

    package func isSource(_ digest: Digest) -> Bool { source == digest.start }

    private static let format: UInt8 = 1
    private static let sealSize = 16

    /// As it is kept with a file of that content at that place.
    package func bytes(at place: Location, _ content: Digest) -> [UInt8] {
        let words = [pair, UInt64(bitPattern: generation), source].flatMap(\.bigEndianBytes)
        let head = [Self.format, kind.rawValue] + words
        return head + Self.seal(head, place, content)
    }

    /// `nil` where it is not of that content at that place, or of a format that is not known.
    package init?(_ bytes: [UInt8], at place: Location, _ content: Digest) {
        guard bytes.count == 2 + 3 * 8 + Self.sealSize, bytes[0] == Self.format,
            let kind = Kind(rawValue: bytes[1]),
            Self.seal(Array(bytes.dropLast(Self.sealSize)), place, content)
                == Array(bytes.suffix(Self.sealSize))
        else { return nil }
        self.kind = kind
        pair = UInt64(bigEndian: bytes[2..<10])
        generation = Int64(bitPattern: UInt64(bigEndian: bytes[10..<18]))
        source = UInt64(bigEndian: bytes[18..<26])
    }

    /// Made from the digest of the content, which is known: it is not read once more.
    private static func seal(_ head: [UInt8], _ place: Location, _ content: Digest) -> [UInt8] {
        Array(Digest(of: head + Array(place.description.utf8) + [0] + content.bytes).bytes.prefix(sealSize))
    }
}
