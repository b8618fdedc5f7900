extension Profile {
    /// Whether the app opens this link: it equals one of `deepLinks`, in which `{…}` is any one component.
    /// The query and the fragment are the app's own. Without patterns, every link is admitted.
    package func admits(link: String) -> Bool {
        deepLinks.isEmpty || deepLinks.contains { Self.isLink(link, of: $0) }
    }

    private static func isLink(_ link: String, of pattern: String) -> Bool {
        let (parts, expected) = (components(link), components(pattern))
        guard parts.count == expected.count else { return false }
        return zip(parts, expected).allSatisfy { part, pattern in
            isVariable(pattern) ? isComponent(part) : part == pattern
        }
    }

    static func deepLinks(_ fields: [YAMLField]) throws(ProfileError) -> [String] {
        try fields.map { field throws(ProfileError) in
            let text = try field.text(.deepLink)
            guard isDeepLink(text) else { throw field.fail(.expected(.deepLink, .text(text))) }
            return text
        }
    }

    /// Whether links of this pattern can exist: it has a scheme, and braces only around whole components.
    private static func isDeepLink(_ pattern: String) -> Bool {
        let parts = components(pattern)
        let scheme = parts[0].prefix { $0 != ":" }
        guard scheme.endIndex < parts[0].endIndex, let first = scheme.first, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return false }
        return parts.allSatisfy { part in
            let text = isVariable(part) ? part.dropFirst().dropLast() : part
            return !text.contains { $0 == "{" || $0 == "}" }
        }
    }

    /// Without the query and the fragment.
    private static func components(_ link: String) -> [Substring] {
        let end = link.firstIndex { $0 == "?" || $0 == "#" } ?? link.endIndex
        return link[..<end].split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func isVariable(_ component: Substring) -> Bool {
        component.hasPrefix("{") && component.hasSuffix("}")
    }

    /// Whether it is one component, and no way out of the one before: as the app reads it, after it has
    /// decoded it.
    private static func isComponent(_ text: Substring) -> Bool {
        guard let decoded = percentDecoded(text), !decoded.isEmpty, decoded != ".", decoded != ".." else {
            return false
        }
        return !decoded.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0 < " " || $0 == "\u{7F}" }
    }

    /// The member `url` of an event's data. Each of it, as programs read an object with a key twice in
    /// different ways.
    package static func links(in data: JSON) -> [String] {
        guard data.kind(JSON.root) == .object else { return [] }
        return data.members(of: JSON.root).compactMap { key, value in
            guard data.kind(value) == .string, data.string(key).elementsEqual("url".utf8) else { return nil }
            return String(decoding: data.string(value), as: UTF8.self)
        }
    }
}
