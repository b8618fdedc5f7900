package import Model

/// A content written whole beside its document, under a name of the bridge's own, and not yet seen by any
/// reader.
package struct Staged: Sendable, Hashable {
    package let target: Location
    package let temporary: Location
    package let digest: Digest
    /// As it is before it is published; the rename changes no more than `changed`.
    package let signature: Signature

    package init(target: Location, temporary: Location, digest: Digest, signature: Signature) {
        (self.target, self.temporary, self.digest, self.signature) = (target, temporary, digest, signature)
    }
}

/// How an attempt to take a document's name ended.
package enum Publication: Sendable, Hashable {
    /// The name was free and holds the staged content now.
    case created
    /// The name holds the staged content now; what it held before came out and lies here, whole and unread.
    case replaced(displaced: Location)
    /// The name was not as expected and is untouched.
    case raced
    /// It was sent, and whether it arrives is told later, by `step`.
    case pending
}

/// What lies where an exchange or a removal has put it aside.
package enum Displaced: Sendable, Hashable {
    /// What was expected, and nobody can write to it any more.
    case expected(Digest)
    /// A racer's save.
    case overtook([UInt8])
    /// A racer's save of more bytes than a document may have.
    case tooLarge
    /// Somebody has it open for writing, or that cannot be told: look again later.
    case busy
}
