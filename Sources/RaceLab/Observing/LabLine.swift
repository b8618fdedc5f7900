package import Model

/// A line that a program wrote to the lab's descriptor: what it did, or that it has done its work.
package enum LabLine: Sendable, Hashable {
    /// It saved this content; `nil`: it deleted the document.
    case saved(RelativePath, Digest?)
    /// It read this content; `nil`: the document was absent.
    case read(RelativePath, Digest?)
    /// What it showed then.
    case shown(String)
    /// It will save nothing any more.
    case done

    /// The document that it names.
    var document: RelativePath? {
        switch self {
        case .saved(let path, _), .read(let path, _): path
        case .shown, .done: nil
        }
    }

    /// What the lab keeps of a text.
    private static let mostText = 200

    /// `nil` if it is none.
    package init?(_ line: some StringProtocol) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : ""
        switch parts.first {
        case "done" where parts.count == 1: self = .done
        case "shown": self = .shown(String(rest.prefix(Self.mostText)))
        case "saved":
            guard let (path, digest) = Self.content(rest) else { return nil }
            self = .saved(path, digest)
        case "read":
            guard let (path, digest) = Self.content(rest) else { return nil }
            self = .read(path, digest)
        default: return nil
        }
    }

    /// A name, which may have spaces, and a hash or `none`.
    private static func content(_ text: String) -> (RelativePath, Digest?)? {
        guard let space = text.lastIndex(of: " "), let path = RelativePath(String(text[..<space])) else {
            return nil
        }
        let hash = String(text[text.index(after: space)...])
        if hash == "none" { return (path, nil) }
        return Digest(hash).map { (path, $0) }
    }
}
