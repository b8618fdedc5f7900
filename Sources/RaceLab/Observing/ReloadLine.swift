import Documents
package import Model

/// A line that reports a reload.
///
/// It has the format of `widgetbridge subscribe`, or is a JSON object with `document`, and optionally `hash`,
/// `generation`, `kind` and `at`; or only the document's name.
package struct ReloadLine: Sendable, Hashable {
    package enum TestDocument: Sendable, Hashable {
        /// The line does not say: the current content.
        case whatever
        /// The document is deleted.
        case nothing
        case hash(Digest)
    }

    package var document: RelativePath
    package var content = TestDocument.whatever
    package var generation: Int64?
    package var kind = ""
    /// When it was sent, since 1970.
    package var sentAt: Duration?
    /// Reports the current state to a new subscriber; not a reload.
    package var isCurrent = false

    /// `nil` if the line names no document.
    package init?(_ line: String) {
        guard line.hasPrefix("{") else {
            guard let path = RelativePath(line) else { return nil }
            document = path
            return
        }
        guard let members = try? YAMLField.root(of: line, file: "reload").members() else { return nil }
        var texts: [String: String] = [:]
        for (name, value) in members { texts[name] = try? value.text() }
        guard let path = texts["document"].flatMap({ RelativePath($0) }) else { return nil }
        document = path
        if let hash = texts["hash"] { content = Digest(hash).map { .hash($0) } ?? .nothing }
        generation = texts["generation"].flatMap { Int64($0) }
        kind = texts["kind"] ?? ""
        isCurrent = texts["cause"] == "current"
        sentAt = texts["at"].flatMap { UTCTime.milliseconds(rfc3339: $0) }.map { .milliseconds($0) }
    }
}
