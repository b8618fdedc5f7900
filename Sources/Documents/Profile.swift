/// One app described as data.
package struct Profile: Sendable {
    package var id: String
    package var documents: [DocumentRule]
}

/// What a profile says of one document.
package struct DocumentRule: Sendable {
    package var path: String
    var mergeRules = MergeRules()
    init(path: String) { self.path = path }

    /// A document that no profile describes: no versions, and one kind with its own name.
    package static func plain(path: String) -> DocumentRule { DocumentRule(path: path) }
}
