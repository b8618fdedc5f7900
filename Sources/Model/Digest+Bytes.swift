import Crypto

extension Model.Digest {
    package init(of bytes: [UInt8]) {
        var hash = SHA256()
        unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        guard let digest = Self(bytes: Array(hash.finalize())) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        self = digest
    }
}
