package import Documents
package import Model
package import Replica
import StateStore

/// The result of reading one document on one side.
package enum Observation: Sendable {
    case absent
    /// The bytes of the base; with the current signature.
    case unchanged(Signature)
    /// Indirect, because plans pass observations by value, and a snapshot has 200 bytes.
    indirect case content(DocumentSnapshot)
    case problem(Problem)
}

/// A document that was just read.
package struct DocumentSnapshot: Sendable {
    package var json: JSON
    package var bytes: [UInt8]
    package var digest: Digest
    package var signature: Signature
    /// `nil` for documents without versions.
    package var version: Int?
    /// Set if the bridge published it.
    package var mark: PublicationMark?

    package init(json: JSON, bytes: [UInt8], digest: Digest, signature: Signature, version: Int?) {
        self.json = json
        self.bytes = bytes
        self.digest = digest
        self.signature = signature
        self.version = version
    }
}

extension Observation {
    /// Parses a document's file by its rule.
    init(_ content: FileContent, by rule: DocumentRule, limits: JSONLimits) {
        if content.bytes.isEmpty {
            self = .problem(.empty)
            return
        }
        if let limit = rule.asset?.limit, content.bytes.count > limit {
            self = .problem(.assetTooLarge(Int64(content.bytes.count), limit: limit))
            return
        }
        do throws(JSONError) {
            let json = try rule.value(of: content.bytes, limits: limits)
            self = Observation(content, json, by: rule)
        } catch {
            self = .problem(.notJSON(error))
        }
    }

    private init(_ content: FileContent, _ json: JSON, by rule: DocumentRule) {
        let version: Int?
        switch rule.version(of: json) {
        case .unversioned: version = nil
        case .known(let number): version = number
        case .newer(let number):
            self = .problem(.newerVersion(number, known: rule.newest ?? 0))
            return
        case .unreadable(let fault):
            self = .problem(.unknownVersion(fault))
            return
        }
        var snapshot = DocumentSnapshot(
            json: json,
            bytes: content.bytes,
            digest: content.digest,
            signature: content.signature,
            version: version
        )
        snapshot.mark = content.mark
        self = .content(snapshot)
    }
}

extension Problem {
    init(_ obstacle: ReadObstacle, maxBytes: Int) {
        self =
            switch obstacle {
            case .notRegular(let kind): .notRegular(kind)
            case .mountPoint: .mountPoint
            case .tooLarge(let bytes): .tooLarge(bytes, limit: maxBytes)
            case .changing: .changing
            case .beingWritten: .beingWritten
            case .unfinishedSave(let file, let since): .unfinishedSave(file, since: since)
            case .unreadable(let error): .unreadable(error)
            case .store(let problem): .store(problem)
            }
    }
}
