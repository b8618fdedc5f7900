import AgentAPI
import BridgeRuntime
import Documents
import Model

/// Which documents of a bridge a person asks for.
struct DocumentSelection: Hashable {
    var names: [RelativePath] = []
    var states: [BridgeStatus.Document.State] = []
    var limit: Int?
    /// The last one of the page before.
    var after: String?

    var isWhole: Bool { self == DocumentSelection() }

    /// As the command line says it, but for the page.
    var words: [String] { states.flatMap { ["--only", $0.rawValue] } }

    func admits(_ document: BridgeStatus.Document) -> Bool {
        (names.isEmpty || names.contains { $0.description == document.name })
            && (states.isEmpty || states.contains(document.state))
    }
}

/// What a person is shown of a bridge: all of its documents, some of them, or a page of those.
struct ShownStatus {
    var status: BridgeStatus
    var selection: DocumentSelection
    /// How many documents there are, and how many of them are asked for.
    let total: Int
    let matching: Int
    /// Of those that are asked for: on earlier pages.
    let before: Int
    /// Of those that are asked for.
    let counts: [BridgeStatus.Document.State: Int]
    /// After which the next page begins; `nil` on the last.
    let next: String?
    let exitStatus: CommandStatus

    /// Throws where a document is named that the bridge does not have.
    init(_ status: BridgeStatus, _ selection: DocumentSelection = DocumentSelection()) throws(UnknownDocument)
    {
        let known = status.documents
        for name in selection.names where !known.contains(where: { $0.name == name.description }) {
            throw UnknownDocument(
                error: .noDocument(name.description, .app),
                name: name.description,
                known: known.map(\.name)
            )
        }
        let asked = known.filter(selection.admits)
        let behind = selection.after.map { last in asked.filter { $0.name > last } } ?? asked
        let page = Array(behind.prefix(selection.limit ?? .max))
        (total, matching, before) = (known.count, asked.count, asked.count - behind.count)
        counts = Dictionary(grouping: asked, by: \.state).mapValues(\.count)
        next = page.count < behind.count ? page.last?.name : nil
        self.status = status
        self.status.documents = page
        self.selection = selection
        var all = status
        all.documents = asked
        exitStatus = all.exitStatus
    }

    var page: [BridgeStatus.Document] { status.documents }
    var isWhole: Bool { selection.isWhole }

    var json: JSONText {
        let paging = selection.limit == nil ? [] : [("next", JSONText(next))]
        return JSONText(object: status.members + paging)
    }
}

extension BridgeStatus.Document.State {
    /// What a person has to look at comes first.
    static let byUrgency: [Self] = [.held, .conflict, .pending, .synced]
}
