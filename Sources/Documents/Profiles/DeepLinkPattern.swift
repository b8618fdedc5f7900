extension Profile {
    /// Whether the app opens this link: it equals one of `deepLinks`, in which `{…}` is any one component.
    /// The query and the fragment are the app's own. Without patterns, every link is admitted.
    package func admits(link: String) -> Bool {
        deepLinks.isEmpty || deepLinks.contains { Self.isLink(link, of: $0) }
    }

    private static func isLink(_ link: String, of pattern: String) -> Bool {
        let end = link.firstIndex { $0 == "?" || $0 == "#" } ?? link.endIndex
        func parts(_ text: Substring) -> [Substring] {
            text.split(separator: "/", omittingEmptySubsequences: false)
        }
        let (parts, expected) = (parts(link[..<end]), parts(pattern[...]))
        guard parts.count == expected.count else { return false }
        return zip(parts, expected).allSatisfy { part, pattern in
            let isVariable = pattern.hasPrefix("{") && pattern.hasSuffix("}")
            return isVariable ? isComponent(part) : part == pattern
        }
    }

    /// Whether it is one component, and no way out of the one before: as the app reads it, after it has
    /// decoded it.
    private static func isComponent(_ text: Substring) -> Bool {
        guard let decoded = percentDecoded(text), !decoded.isEmpty, decoded != ".", decoded != ".." else {
            return false
        }
        return !decoded.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0 < " " || $0 == "\u{7F}" }
    }
}
