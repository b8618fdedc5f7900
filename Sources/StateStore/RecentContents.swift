import Model

/// A cache of the bases that were written to the journal last: documents that are saved often are compared
/// without a read from the database.
struct RecentContents: Sendable {
    private var contents: [RelativePath: BaseContent] = [:]
    private var size = 0
    /// Enough for the few documents that are saved often, which are small.
    private static var mostBytes: Int { 256 << 10 }

    subscript(document: RelativePath) -> BaseContent? { contents[document] }

    /// Updates the cache with what the journal records.
    mutating func record(_ entry: JournalEntry) {
        switch entry {
        case .agreed(let path, _, let content): remember(content, of: path)
        case .gone(let path, _): forget(path)
        default: break
        }
    }

    private mutating func remember(_ content: BaseContent, of path: RelativePath) {
        forget(path)
        guard content.size <= Self.mostBytes / 4 else { return }
        // Clearing costs one read per document; tracking the oldest would cost something on every save.
        if size + content.size > Self.mostBytes { self = RecentContents() }
        contents[path] = content
        size += content.size
    }

    private mutating func forget(_ path: RelativePath) {
        if let old = contents.removeValue(forKey: path) { size -= old.size }
    }
}

extension BaseContent {
    /// The approximate memory use.
    var size: Int {
        let bytes: [[UInt8]?] = [newest, sides.app, sides.group]
        return bytes.reduce(256) { $0 + ($1?.count ?? 0) }
    }
}
