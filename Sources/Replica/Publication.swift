package import Model

/// A content that no reader sees yet: in a temporary file beside its document, or in memory.
package struct Staged: Sendable, Hashable {
    package let target: Location
    package let temporary: Location
    package let digest: Digest
    /// Before publication; the rename changes nothing but `changed`.
    package let signature: Signature

    /// The content, if it is not written yet: then there is no temporary file.
    package let content: [UInt8]?

    package init(target: Location, temporary: Location, digest: Digest, signature: Signature) {
        (self.target, self.temporary, self.digest, self.signature) = (target, temporary, digest, signature)
        content = nil
    }

    package init(holding content: [UInt8], digest: Digest, for target: Location, named temporary: Location) {
        (self.target, self.temporary, self.digest, self.content) = (target, temporary, digest, content)
        signature = Signature(device: 0, inode: 0, size: Int64(content.count), modified: 0, changed: 0)
    }
}

/// The result of publishing a document.
package enum Publication: Sendable, Hashable {
    /// The name was free and now has the staged content.
    case created
    /// The name now has the staged content; the displaced file is here, unread.
    case replaced(displaced: Location)
    /// The name was not as expected; nothing was changed.
    case raced
    /// The commit was sent; `step` reports later whether it took effect.
    case pending
}

/// The content of a displaced file, after an exchange or a removal.
package enum Displaced: Sendable, Hashable {
    /// The expected content, and no program can write to it any more.
    case expected(Digest)
    /// Another program's save.
    case overtook([UInt8])
    /// Another program's save, larger than the size limit.
    case tooLarge
    /// A program has it open for writing, or that is unknown: examine it again later.
    case busy
}
