package import Documents
package import Model

/// The one document whose content is shown, chosen by its kind, by its name, or because there is no other.
package struct ShownTarget: Sendable {
    package var document: RelativePath
    package var rule: DocumentRule
    /// `nil` for all notices of the document.
    package var kind: String?

    /// The kinds that show the document: the chosen one, or all.
    package var kinds: [String] { kind.map { [$0] } ?? rule.kinds.map(\.name) }
    /// The kind that is shown: the first one if none was chosen.
    package var shownKind: String { kinds.first ?? rule.path }

    /// Why no document is chosen.
    package enum Fault: Error, Sendable, Hashable {
        /// `known` are the kinds that can be chosen.
        case noDocument(known: [String])
        /// The kind shows several.
        case severalDocuments(kind: String, [String])
        case notOf(kind: String, document: String)
    }

    /// - Parameter profile: that of the bridge.
    /// - Throws: a `Fault`, or `BridgeError.unknownKind`.
    package init(kind: String?, document: RelativePath?, _ profile: Profile?) throws {
        self.kind = kind
        self.document = try document ?? Self.document(of: kind, profile)
        let path = self.document.description
        rule = profile?.rule(for: path) ?? .plain(path: path)
        if let kind, !rule.kinds.contains(where: { $0.name == kind }) {
            throw Fault.notOf(kind: kind, document: path)
        }
    }

    private static func document(of kind: String?, _ profile: Profile?) throws -> RelativePath {
        let rules = profile?.documents ?? []
        let candidates = kind.map { kind in rules.filter { $0.kinds.contains { $0.name == kind } } } ?? rules
        if let kind, candidates.isEmpty {
            try checkKind(kind, isNamedBy: profile)
            // A document that no profile names is a kind of its own name.
            if profile?.isDocument(kind) ?? true, let path = RelativePath(kind) { return path }
        }
        let isOne = candidates.count == 1 && !candidates[0].path.contains("*")
        if isOne, let path = RelativePath(candidates[0].path) { return path }
        if let kind, !candidates.isEmpty {
            throw Fault.severalDocuments(kind: kind, candidates.map(\.path))
        }
        throw Fault.noDocument(known: rules.flatMap(\.kinds).map(\.name))
    }
}
