/// A further version of a document, published beside it, read-only, for readers that know no other version.
package struct DocumentView: Sendable, Hashable {
    package enum Container: String, Sendable, CaseIterable { case app, group }
    package var container: Container
    package var version: Int
    /// The path of the view.
    package var path: String

    init(of document: String, _ version: Int, in container: Container) {
        self.version = version
        self.container = container
        path = Self.path(of: document, version)
    }

    /// The view of `budget.json` in version 1 is `budget.v1.json`.
    private static func path(of document: String, _ version: Int) -> String {
        let bytes = Array(document.utf8)
        let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil } ?? bytes.count
        return String(decoding: bytes[..<dot], as: UTF8.self) + ".v\(version)"
            + String(decoding: bytes[dot...], as: UTF8.self)
    }

    /// The document and version that a name may belong to: `budget.v1.json` to version 1 of `budget.json`.
    static func document(ofName path: String) -> (document: String, version: Int)? {
        let bytes = Array(path.utf8)
        let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        func parts(to end: Int) -> (document: String, version: Int)? {
            guard let dot = bytes[name..<end].lastIndex(of: UInt8(ascii: ".")), dot > name, dot + 2 < end,
                bytes[dot + 1] == UInt8(ascii: "v"),
                let version = Int(String(decoding: bytes[(dot + 2)..<end], as: UTF8.self))
            else { return nil }
            let document = String(decoding: bytes[..<dot] + bytes[end...], as: UTF8.self)
            return Self.path(of: document, version).utf8.elementsEqual(bytes) ? (document, version) : nil
        }
        let dot = bytes[name...].lastIndex(of: UInt8(ascii: "."))
        return dot.flatMap(parts) ?? parts(to: bytes.count)
    }
}

extension Profile {
    /// The document that a file of this name is a view of. A view is not a document.
    package func document(ofView path: String) -> String? {
        guard index.hasViews, let (document, version) = DocumentView.document(ofName: path),
            named(document)?.views.contains(where: { $0.version == version }) == true,
            // A view has no views of its own.
            self.document(ofView: document) == nil
        else { return nil }
        return document
    }

    /// Whether a view is published under this name.
    package func hasView(_ path: String, in container: DocumentView.Container) -> Bool {
        guard let document = document(ofView: path), let rule = named(document) else { return false }
        return rule.views.contains { $0.container == container && $0.path.utf8.elementsEqual(path.utf8) }
    }
}
