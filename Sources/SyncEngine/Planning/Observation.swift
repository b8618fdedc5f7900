package import Documents
package import Model
package import Replica
import StateStore

/// What one look at one document on one side found.
package enum Observation: Sendable {
    case absent
    /// The very bytes that the base says; the signature is how the file looks now.
    case unchanged(Signature)
    case content(DocumentSnapshot)
    case problem(Problem)
}

/// A document as it was read just now.
package struct DocumentSnapshot: Sendable {
    package var json: JSON
    package var bytes: [UInt8]
    package var digest: Digest
    package var signature: Signature
    /// `nil` for documents without versions.
    package var version: Int?
    /// The bridge has published it.
    package var mark: PublicationMark?

    package init(json: JSON, bytes: [UInt8], digest: Digest, signature: Signature, version: Int?) {
        self.json = json
        self.bytes = bytes
        self.digest = digest
        self.signature = signature
        self.version = version
    }
}
