/// Some of a bridge's documents: those in some states, or one page of them in the order of their names.
package struct DocumentPage: Sendable {
    package struct Request: Hashable, Sendable {
        /// Without a state: documents in any state.
        package var states: [BridgeStatus.Document.State]
        /// How many documents a page has; `nil`: all.
        package var limit: Int?
        /// The last name on the page before.
        package var after: String?

        package init(
            states: [BridgeStatus.Document.State] = [],
            limit: Int? = nil,
            after: String? = nil
        ) {
            (self.states, self.limit, self.after) = (states, limit, after)
        }

        /// All documents are asked for, on one page.
        package var isWhole: Bool { self == Request() }
        fileprivate var isPaged: Bool { limit != nil || after != nil }
    }

    package var documents: [BridgeStatus.Document]
    /// All that are asked for, on whatever page.
    package let matching: [BridgeStatus.Document]
    /// How many of them are on earlier pages.
    package let before: Int
    /// The name after which the next page begins; `nil` on the last page.
    package let next: String?

    package init(_ request: Request, of documents: [BridgeStatus.Document]) {
        var matching = documents.filter { request.states.isEmpty || request.states.contains($0.state) }
        // What cannot be synced for its name stands behind the others in a status.
        if request.isPaged { matching.sort { Self.isBefore($0.name, $1.name) } }
        let behind = request.after.map { last in matching.filter { Self.isBefore(last, $0.name) } }
        let rest = behind ?? matching
        self.documents = Array(rest.prefix(request.limit ?? .max))
        self.matching = matching
        before = matching.count - rest.count
        next = self.documents.count < rest.count ? self.documents.last?.name : nil
    }

    /// By bytes: two names that Swift takes for equal are those of two files.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
