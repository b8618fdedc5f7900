package import Model

/// A content written to a temporary file beside its document, which no reader sees yet.
package struct Staged: Sendable, Hashable {
    package let target: Location
    package let temporary: Location
    package let digest: Digest
    /// Before publication; the rename changes nothing but `changed`.
    package let signature: Signature

    package init(target: Location, temporary: Location, digest: Digest, signature: Signature) {
        (self.target, self.temporary, self.digest, self.signature) = (target, temporary, digest, signature)
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
