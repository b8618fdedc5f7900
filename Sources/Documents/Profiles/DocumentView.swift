/// A further version in which a document is published beside itself, read-only, for those who read no other.
package struct DocumentView: Sendable, Hashable {
    package enum Container: String, Sendable, CaseIterable { case app, group }
    package var container: Container
    package var version: Int
    /// Of the view itself.
    package var path: String

    init(of document: String, _ version: Int, in container: Container) {
        self.version = version
        self.container = container
        path = Self.path(of: document, version)
    }

    /// `budget.json` in version 1 is `budget.v1.json`.
    private static func path(of document: String, _ version: Int) -> String {
        let bytes = Array(document.utf8)
        let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil } ?? bytes.count
        return String(decoding: bytes[..<dot], as: UTF8.self) + ".v\(version)"
            + String(decoding: bytes[dot...], as: UTF8.self)
    }
}

extension Profile {
    /// The document that a file of this name is a view of; views are no documents.
    package func document(ofView path: String) -> (rule: DocumentRule, view: DocumentView)? {
        for rule in documents where !rule.views.isEmpty {
            if let view = rule.views.first(where: { $0.path.utf8.elementsEqual(path.utf8) }) {
                return (rule, view)
            }
        }
        return nil
    }
}
