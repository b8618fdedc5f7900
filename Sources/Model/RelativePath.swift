/// A path inside a container, with parts separated by `/`.
///
/// It cannot leave the container: it has no `..`, no leading `/` and no empty part. Paths are compared byte
/// by byte, like the kernel does: two names that only look alike are two documents.
package struct RelativePath: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    package let description: String

    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count < Self.longest, !text.utf8.contains(0) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ Self.isName($0) }) else { return nil }
        description = text
    }

    /// PATH_MAX.
    private static let longest = 4096

    private static func isName(_ part: Substring.UTF8View) -> Bool {
        !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }

    private init(unchecked text: String) { description = text }

    /// The last part.
    package var name: String {
        guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return description }
        return String(description[description.utf8.index(after: slash)...])
    }

    /// The directory that contains it; `nil` at the root.
    package var directory: RelativePath? {
        guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return RelativePath(unchecked: String(description[..<slash]))
    }

    /// The number of directories in it.
    package var depth: Int { description.utf8.count { $0 == UInt8(ascii: "/") } }

    /// The same directory with another name; `nil` if that is not a valid name.
    package func sibling(_ name: String) -> RelativePath? {
        Self.child(of: directory, name)
    }

    /// `name` in `directory` (`nil`: the root); `nil` if that is not a valid name.
    package static func child(of directory: RelativePath?, _ name: String) -> RelativePath? {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return RelativePath(directory.map { "\($0)/\(name)" } ?? name)
    }

    package func isInside(_ directory: RelativePath) -> Bool {
        let prefix = directory.description.utf8
        let mine = description.utf8
        return mine.count > prefix.count + 1 && mine.starts(with: prefix)
            && mine[mine.index(mine.startIndex, offsetBy: prefix.count)] == UInt8(ascii: "/")
    }

    package static func == (a: Self, b: Self) -> Bool {
        // Two paths mostly differ in their length, which is known without looking at their bytes.
        a.description.utf8.count == b.description.utf8.count
            && a.description.utf8.elementsEqual(b.description.utf8)
    }

    package static func < (a: Self, b: Self) -> Bool {
        a.description.utf8.lexicographicallyPrecedes(b.description.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = description
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let path = RelativePath(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "no relative path: \(text)"
            )
        }
        self = path
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
