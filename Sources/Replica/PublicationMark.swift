package import Model

/// An extended attribute of each file that the bridge publishes: it records that the bridge of this pair
/// wrote this content to this path, and at which generation.
///
/// The journal may know less than was published: its disk was full, or it was restored from a backup. The
/// attribute stays with the file. After a program writes to the file or renames it, the attribute no longer
/// matches, and is ignored.
///
/// It has 42 bytes, so that it fits into the inode (ext4 with 256-byte inodes) and needs no block of its own.
package struct PublicationMark: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        /// A copy of what the other side held.
        case carried
        /// The other side was written to as well, the app first.
        case merged
        case view
    }

    package let kind: Kind
    /// Identifies the pair of containers, independently of the journal.
    package let pair: UInt64
    package let generation: Int64
    /// The start of the digest of the other side's previous content; zero if it had none.
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

    /// The bytes to store with a file of this content at this path.
    package func bytes(at place: Location, _ content: Digest) -> [UInt8] {
        // A key path would take longer than all the rest.
        let words = [pair, UInt64(bitPattern: generation), source].flatMap { $0.bigEndianBytes }
        let head = [Self.format, kind.rawValue] + words
        return head + Self.seal(head, place, content)
    }

    /// `nil` if it does not match this content and path, or has an unknown format.
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

    /// Computed from the known digest, so that the content is not hashed again.
    private static func seal(_ head: [UInt8], _ place: Location, _ content: Digest) -> [UInt8] {
        Array(Digest(of: head + Array(place.description.utf8) + [0] + content.bytes).bytes.prefix(sealSize))
    }
}
