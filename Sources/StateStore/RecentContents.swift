import Model

/// What was agreed on last, of documents that were written to the journal a short while ago: whoever saves
/// often is judged by it without a read from the database.
struct RecentContents: Sendable {
    private var contents: [RelativePath: BaseContent] = [:]
    private var size = 0
    /// Few documents are saved often, and they are small.
    private static var mostBytes: Int { 256 << 10 }

    subscript(document: RelativePath) -> BaseContent? { contents[document] }

    /// What the journal has from now on.
    mutating func note(_ entry: JournalEntry) {
        switch entry {
        case .agreed(let path, _, let content): remember(content, of: path)
        case .gone(let path, _): forget(path)
        default: break
        }
    }

    private mutating func remember(_ content: BaseContent, of path: RelativePath) {
        forget(path)
        guard content.size <= Self.mostBytes / 4 else { return }
        // To begin anew costs a read each; to know which is the oldest would cost something with each save.
        if size + content.size > Self.mostBytes { self = RecentContents() }
        contents[path] = content
        size += content.size
    }

    private mutating func forget(_ path: RelativePath) {
        if let old = contents.removeValue(forKey: path) { size -= old.size }
    }
}

extension BaseContent {
    /// About how much memory it takes.
    var size: Int {
        let bytes: [[UInt8]?] = [newest, sides.app, sides.group]
        return bytes.reduce(256) { $0 + ($1?.count ?? 0) }
    }
}
