/// Which documents are synced: the patterns of `include` and `exclude`, in a profile or of a bridge.
///
/// A pattern is a name in which `*` matches any characters within one component of a path. With `/` at its
/// end it is a directory's, and stands for everything in it; in `exclude` it may lack that.
package struct DocumentFilter: Codable, Sendable, Hashable {
    /// Only documents that match one of these are synced; `nil`: all.
    package var include: [String]?
    /// Documents that match one of these are not synced, even if `include` matches them.
    package var exclude: [String]
    /// The names and patterns of a profile's documents, if nothing else is synced; `nil`: other documents
    /// are, too.
    package var named: [String]?

    package init(include: [String]? = nil, exclude: [String] = []) {
        (self.include, self.exclude) = (include, exclude)
    }

    package var isEmpty: Bool { include == nil && exclude.isEmpty && named == nil }

    /// Why a document is not synced.
    package enum Exclusion: Sendable, Hashable {
        /// This pattern of `exclude` matches it.
        case excluded(by: String)
        /// No pattern of `include` matches it.
        case notIncluded
        /// The documents are in the app's stores, and the profile does not name this one.
        case notNamed

        package var text: String {
            switch self {
            case .excluded(let pattern): "`exclude` leaves it out, by the pattern `\(pattern)`"
            case .notIncluded: "`include` leaves it out, as no pattern there matches it"
            case .notNamed: "with `stores` only what the profile names is synced, and it does not name this"
            }
        }
    }

    /// Why a document of this name is not synced; `nil` if it is.
    package func exclusion(of path: String) -> Exclusion? {
        if let pattern = exclude.first(where: { Self.matches($0, path) || Self.contains($0, path) }) {
            return .excluded(by: pattern)
        }
        if let include,
            !include.contains(where: { $0.hasSuffix("/") ? Self.contains($0, path) : Self.matches($0, path) })
        {
            return .notIncluded
        }
        if let named, !named.contains(where: { Self.matches($0, path) }) { return .notNamed }
        return nil
    }

    /// The same by the filters of a bridge and of its profile: a document is synced if both let it through.
    package static func exclusion(of path: String, by profile: Profile?, _ bridge: Self) -> Exclusion? {
        profile?.filter.exclusion(of: path) ?? bridge.exclusion(of: path)
    }

    /// Whether a text can be a pattern. One that matches no document would let through what it is to leave
    /// out; `**` would suggest directories at any depth.
    package static func isPattern(_ text: String) -> Bool {
        let name = text.hasSuffix("/") ? text.dropLast() : text[...]
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        return components.allSatisfy { !["", ".", ".."].contains($0) }
            && DocumentPattern(text)?.hasDoubleStar != true
    }

    /// Whether the pattern is that of a directory above the document.
    private static func contains(_ pattern: String, _ path: String) -> Bool {
        let name = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
        let depth = name.utf8.count { $0 == slash } + 1
        let components = path.utf8.split(separator: slash, maxSplits: depth, omittingEmptySubsequences: false)
        guard components.count > depth else { return false }
        let directory = path[..<components[depth - 1].endIndex]
        return matches(name, String(directory))
    }

    private static let slash = UInt8(ascii: "/")

    private static func matches(_ pattern: String, _ path: String) -> Bool {
        DocumentPattern(pattern)?.fits(path) ?? pattern.utf8.elementsEqual(path.utf8)
    }
}
