import Documents
package import Model

/// A line by which somebody says that widgets are to reload.
///
/// As `widgetbridge subscribe` prints it, or any JSON object that has `document`, and perhaps `hash`,
/// `generation` and `kind`; or nothing but the document's name.
package struct ReloadLine: Sendable, Hashable {
    package enum TestDocument: Sendable, Hashable {
        /// It does not say: what is there.
        case whatever
        /// The document is deleted.
        case nothing
        case hash(Digest)
    }

    package var document: RelativePath
    package var content = TestDocument.whatever
    package var generation: Int64?
    package var kind = ""
    /// It tells a new subscriber what there is: no reload.
    package var isCurrent = false

    /// `nil` for a line that says nothing of a document.
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
    }
}
