import AgentAPI
import BridgeRuntime
import Documents
import Model

/// Selects documents of a bridge for `status`.
struct DocumentSelection: Hashable {
    var names: [RelativePath] = []
    var page = DocumentPage.Request()

    var isWhole: Bool { self == DocumentSelection() }

    /// The options that select the states, without those for paging.
    var words: [String] { page.states.flatMap { ["--only", $0.rawValue] } }

    /// Of several bridges, each shows the documents that it has. A name that none has is asked of all; `nil`
    /// if nothing is asked of this bridge.
    func part(in status: BridgeStatus, of all: [BridgeStatus]) -> DocumentSelection? {
        var part = self
        part.names.removeAll { name in !status.has(name) && all.contains { $0.has(name) } }
        return part.names.isEmpty && !names.isEmpty ? nil : part
    }

    func admits(_ document: BridgeStatus.Document) -> Bool {
        names.isEmpty || names.contains { $0 == RelativePath(document.name) }
    }
}

/// The part of a bridge's status that is shown: all documents, some of them, or one page.
struct ShownStatus {
    var status: BridgeStatus
    var selection: DocumentSelection
    /// The number of documents, and of those that are selected.
    let total: Int
    let matching: Int
    /// The number of selected documents on earlier pages.
    let before: Int
    /// The states of the selected documents.
    let counts: [BridgeStatus.Document.State: Int]
    /// The name after which the next page begins; `nil` on the last page.
    let next: String?
    let exitStatus: CommandStatus
    /// The files that are no documents, if they were asked for.
    var ignored: [IgnoredFile]?

    /// Throws if a selected name is not a document of the bridge.
    init(_ status: BridgeStatus, _ selection: DocumentSelection = DocumentSelection()) throws(UnknownDocument)
    {
        let known = status.documents
        for name in selection.names where !status.has(name) {
            let filters = status.filters ?? []
            if let excluded = filters.compactMap({ $0.exclusion(of: name.description) }).first {
                let error = BridgeError.notADocument(name.description, .known(.excluded(excluded)))
                throw UnknownDocument(error: error, name: name.description, known: [])
            }
            throw UnknownDocument(
                error: .noDocument(name.description, nil),
                name: name.description,
                known: known.map(\.name)
            )
        }
        let page = DocumentPage(selection.page, of: known.filter(selection.admits))
        (total, matching, before) = (known.count, page.matching.count, page.before)
        counts = Dictionary(grouping: page.matching, by: \.state).mapValues(\.count)
        next = page.next
        self.status = status
        self.status.documents = page.documents
        self.selection = selection
        var all = status
        all.documents = page.matching
        exitStatus = all.exitStatus
    }

    var page: [BridgeStatus.Document] { status.documents }
    var isWhole: Bool { selection.isWhole }

    var json: JSONText {
        let paging = selection.page.limit == nil ? [] : [("next", JSONText(next))]
        let ignored = ignored.map { [("ignored", JSONText($0.map(\.json)))] } ?? []
        return JSONText(object: status.members + paging + ignored)
    }
}

extension BridgeStatus {
    fileprivate func has(_ name: RelativePath) -> Bool {
        documents.contains { RelativePath($0.name) == name }
    }
}

extension BridgeStatus.Document.State {
    /// States that need a decision come first.
    static let byUrgency: [Self] = [.held, .conflict, .pending, .synced]
}
