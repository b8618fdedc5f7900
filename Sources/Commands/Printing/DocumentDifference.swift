import BridgeRuntime
import Documents
import Model
import SyncEngine

/// The difference between the two sides of a document, in a version that both can represent.
struct DocumentDifference {
    var document: RelativePath
    var format: DiffFormat
    /// Hashes of the stored bytes; `nil` for a side without the document.
    var hashes: BothSides<Digest?>
    var versions: BothSides<Int?>
    /// The version in which the sides are compared; `nil` if the documents have no versions.
    var version: Int?
    var app: JSON?
    var group: JSON?

    /// Compares values: formatting and the order of members make no difference.
    var isEqual: Bool {
        guard let app, let group else { return false }
        return app.isEqual(to: group)
    }

    /// A side without the document counts as `null`.
    var patch: JSONPatch { .diff(from: side(app), to: side(isEqual ? app : group)) }

    /// `nil` if no merge patch can represent the change.
    var mergePatch: JSON? { .mergePatch(from: side(app), to: side(isEqual ? app : group)) }

    /// Empty if the sides are equal.
    var textDiff: TextDiff { TextDiff(from: app, to: isEqual ? app : group) }

    private func side(_ document: JSON?) -> JSON {
        if let document { return document }
        guard let null = try? JSON(parsing: Array("null".utf8)) else { preconditionFailure("it is JSON") }
        return null
    }

    var json: JSONText {
        let change: (String, JSONText) =
            switch format {
            case .patch: ("patch", JSONText(patch.json))
            case .merge: ("merge", mergePatch.map { JSONText($0) } ?? .null)
            case .text: ("text", JSONText(TextPrinter().text(textDiff)))
            }
        return JSONText(object: [
            ("document", JSONText(document.description)), ("equal", JSONText(isEqual)),
            ("version", ["app": JSONText(versions.app), "group": JSONText(versions.group)]),
            ("comparedVersion", JSONText(version)),
            (
                "hash",
                [
                    "app": JSONText(hashes.app?.description), "group": JSONText(hashes.group?.description),
                ]
            ),
            change,
        ])
    }
}

extension DocumentDifference {
    /// - Parameters:
    ///   - app: the document in the app's container; `nil` if it is missing there. `group` is the same.
    ///   - rule: the profile's rule for the document.
    init(
        of document: RelativePath,
        app: StoredDocument?,
        group: StoredDocument?,
        by rule: DocumentRule?,
        format: DiffFormat
    ) throws(BridgeError) {
        (self.document, self.format) = (document, format)
        hashes = BothSides(app: app?.hash, group: group?.hash)
        let mine = try app.map { stored throws(BridgeError) in try stored.json(by: rule) }
        let its = try group.map { stored throws(BridgeError) in try stored.json(by: rule) }
        versions = BothSides(
            app: mine.flatMap { rule?.known($0) },
            group: its.flatMap { rule?.known($0) }
        )
        version = [versions.app, versions.group].compactMap(\.self).min()
        self.app = mine
        self.group = its
        guard let rule, let version, let mine, let its else { return }
        do throws(DocumentError) {
            if let from = versions.app {
                self.app = try rule.translate(mine, from: from, to: version, agreed: nil, example: its)
            }
            if let from = versions.group {
                self.group = try rule.translate(its, from: from, to: version, agreed: nil, example: mine)
            }
        } catch {
            throw .invalidDocument(document.description, .reported(error.reason, at: error.located.position))
        }
    }
}

extension StoredDocument {
    /// Parses without limits, because the bridge has applied its own. Throws `.invalidDocument` if the
    /// bytes are not valid JSON. The value of an asset is its hash.
    func json(by rule: DocumentRule? = nil) throws(BridgeError) -> JSON {
        do throws(JSONError) {
            let rule = rule ?? .plain(path: name.description)
            return try rule.value(of: bytes, limits: .unbounded)
        } catch {
            throw .invalidDocument(name.description, .json(error))
        }
    }
}
