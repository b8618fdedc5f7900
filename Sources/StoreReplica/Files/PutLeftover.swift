import FileSystem
import Glibc
import Model

/// The name of a temporary file of `store put`, `.store-put-PROCESS-N-CONTENT-REPLACED`: the first 64 bits of
/// the SHA-256 of the new content and of the one that it replaces. After a kill they tell whether the file
/// may be removed, or has what another program saved at that moment.
package struct PutLeftover: Hashable {
    /// No name of a bridge's temporary file: an agent would take it for one that a killed run left.
    private static let prefix = ".store-put-"

    private let process: Int32
    private let known: [String]

    package init?(_ name: String) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        let parts = name.dropFirst(Self.prefix.count).split(separator: "-")
        guard let process = parts.first.flatMap({ Int32($0) }) else { return nil }
        self.process = process
        known = parts.dropFirst(2).map { String($0) }
    }

    static func name(_ number: Int, _ bytes: [UInt8], over current: [UInt8]?) -> String {
        let digests = [bytes, current ?? []].map { Digest(of: $0).shortHex }.joined(separator: "-")
        return "\(prefix)\(getpid())-\(number)-\(digests)"
    }

    package var isOfEndedProcess: Bool { kill(process, 0) != 0 && errno == ESRCH }

    func isKnown(_ bytes: [UInt8]) -> Bool { bytes.isEmpty || known.contains(Digest(of: bytes).shortHex) }
}

extension StoreFile {
    /// Removes what killed runs left in the directory. A file that may have what another program saved stays.
    func removeLeftovers() {
        for entry in (try? files.list(Directory(place.root))) ?? [] {
            guard let name = String(validating: entry.bytes, as: UTF8.self), let leftover = PutLeftover(name),
                leftover.isOfEndedProcess, let left = try? sibling(name)
            else { continue }
            // A leftover that was never published may be incomplete.
            let isOwn = files.storeMark(of: left)?.isUnpublished(at: name) == true
            let bytes = try? files.contents(of: left, limit: StoreReplica.maxStoreBytes + 1)
            if isOwn || bytes.map(leftover.isKnown) == true { try? files.remove(left) }
        }
    }
}
