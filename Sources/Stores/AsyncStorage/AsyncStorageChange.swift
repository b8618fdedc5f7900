import Crypto

/// What to write and to remove in a directory of AsyncStorage, in this order: the values' files, the
/// manifest, and the files that it no longer refers to. Killed in between, it refers to files that are there.
package struct AsyncStorageChange: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package let name: String
        package let bytes: [UInt8]
    }

    /// Each is replaced as a whole.
    package internal(set) var written: [File] = []
    /// `nil` if it stays as it is.
    package internal(set) var manifest: [UInt8]?
    /// Names of files.
    package internal(set) var removed: [String] = []
}

extension AsyncStorageManifest {
    /// The name of the file that has the value of a key: the MD5 of the key in lower-case hex.
    package static func fileName(of key: String) -> String {
        var hash = Insecure.MD5()
        unsafe Array(key.utf8).withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The value in the file of a key.
    package static func value(ofFile bytes: [UInt8], key: String) throws(StoreFault) -> StoreValue {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformedValue(.asyncStorage, key: key, nil, .notUTF8)
        }
        return .string(text)
    }
}
