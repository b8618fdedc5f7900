import Documents
import Model

/// The contents with their numbers: each is hashed and parsed once, and one table can serve many runs.
package final class VersionTable {
    private(set) var versions: [Version] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// Of all contents.
    private(set) var bytes = 0
    private var byDigest: [Digest: Int] = [:]

    package init() {
        versions = [Version(bytes: [], digest: Digest(of: []), edits: [], isReadable: true)]
    }

    /// `nil` for an absent document.
    func number(of bytes: [UInt8]?) -> Int {
        guard let bytes else { return History.absent }
        if let number = numbers[bytes] { return number }
        let version = Version(
            bytes: bytes,
            digest: Digest(of: bytes),
            edits: Ids.found(in: bytes).sorted(),
            isReadable: (try? JSON(parsing: bytes)) != nil
        )
        versions.append(version)
        self.bytes += bytes.count
        numbers[bytes] = versions.count - 1
        byDigest[version.digest] = versions.count - 1
        return versions.count - 1
    }

    /// `nil` for an unknown content.
    func number(of digest: Digest?) -> Int? { digest.map { byDigest[$0] } ?? History.absent }

    subscript(number: Int) -> Version { versions[number] }
    var count: Int { versions.count }
}
