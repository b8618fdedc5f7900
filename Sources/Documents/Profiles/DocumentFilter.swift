/// Which documents are synced: the patterns of `include` and `exclude`, in a profile or of a bridge.
///
/// A pattern is a name in which `*` matches any characters within one component of a path.
package struct DocumentFilter: Codable, Sendable, Hashable {
    /// Only documents that match one of these are synced; `nil`: all.
    package var include: [String]?
    /// Documents that match one of these are not synced, even if `include` matches them.
    package var exclude: [String]

    package init(include: [String]? = nil, exclude: [String] = []) {
        (self.include, self.exclude) = (include, exclude)
    }

    package var isEmpty: Bool { include == nil && exclude.isEmpty }

    /// Why a document is not synced.
    package enum Exclusion: Sendable, Hashable {
        /// This pattern of `exclude` matches it.
        case excluded(by: String)
        /// No pattern of `include` matches it.
        case notIncluded

        package var text: String {
            switch self {
            case .excluded(let pattern): "`exclude` leaves it out, by the pattern `\(pattern)`"
            case .notIncluded: "`include` leaves it out, as no pattern there matches it"
            }
        }
    }

    /// Why a document of this name is not synced; `nil` if it is.
    package func exclusion(of path: String) -> Exclusion? {
        if let pattern = exclude.first(where: { Self.matches($0, path) }) { return .excluded(by: pattern) }
        guard let include, !include.contains(where: { Self.matches($0, path) }) else { return nil }
        return .notIncluded
    }

    /// The same by the filters of a bridge and of its profile: a document is synced if both let it through.
    package static func exclusion(of path: String, by profile: Profile?, _ bridge: Self) -> Exclusion? {
        profile?.filter.exclusion(of: path) ?? bridge.exclusion(of: path)
    }

    /// Whether a text can be a pattern: `**` is refused, because it would suggest whole directories.
    package static func isPattern(_ text: String) -> Bool {
        !text.isEmpty && DocumentPattern(text)?.hasDoubleStar != true
    }

    private static func matches(_ pattern: String, _ path: String) -> Bool {
        DocumentPattern(pattern)?.fits(path) ?? pattern.utf8.elementsEqual(path.utf8)
    }
}
