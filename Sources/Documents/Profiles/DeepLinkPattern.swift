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
            isVariable(pattern) ? isComponent(part) : part.utf8.elementsEqual(pattern.utf8)
        }
    }

    static func deepLinks(_ fields: [YAMLField]) throws(ProfileError) -> [String] {
        var known: Set<[Substring]> = []
        return try fields.map { field throws(ProfileError) in
            let text = try field.text(.deepLink)
            guard isDeepLink(text) else { throw field.fail(.expected(.deepLink, .text(text))) }
            // The name of a variable says nothing of the links.
            let parts = components(text).map { isVariable($0) ? "{}" : $0 }
            guard known.insert(parts + [rest(of: text)]).inserted else {
                throw field.fail(.rule(.repeated(text)))
            }
            return text
        }
    }

    /// Whether links of this pattern can exist: it has a scheme, only characters of a link, and braces only
    /// around the names of whole components.
    private static func isDeepLink(_ pattern: String) -> Bool {
        let parts = components(pattern)
        let scheme = parts[0].prefix { $0 != ":" }
        guard scheme.endIndex < parts[0].endIndex, let first = scheme.first, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }),
            pattern.unicodeScalars.allSatisfy(isOfLink)
        else { return false }
        return parts.allSatisfy { part in
            let text = isVariable(part) ? part.dropFirst().dropLast() : part
            let isNamed = !isVariable(part) || !text.isEmpty
            return isNamed && percentDecoded(text) != nil && !text.contains { $0 == "{" || $0 == "}" }
        }
    }

    /// Letters of other scripts, too, which a program may encode itself, and the braces of a pattern.
    private static func isOfLink(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else {
            return !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }
        return scalar > " " && scalar != "\u{7F}" && !"\"<>\\^`|".unicodeScalars.contains(scalar)
    }

    /// Without the query and the fragment. The scheme is in lowercase, as the case of its letters has no
    /// meaning.
    private static func components(_ link: String) -> [Substring] {
        let scheme = link.utf8.prefix { $0 != UInt8(ascii: ":") }
        let lowercase = scheme.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let text = String(decoding: lowercase + link.utf8[scheme.endIndex...], as: UTF8.self)
        return text[..<text.endOfPath].split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The query and the fragment.
    private static func rest(of link: String) -> Substring { link[link.endOfPath...] }

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

    /// The member `url` of an event's data; `nil` for one that is not text. Each of it, as programs read an
    /// object with a key twice in different ways. `null` is no link.
    package static func links(in data: JSON) -> [String?] {
        guard data.kind(JSON.root) == .object else { return [] }
        let members = data.members(of: JSON.root).filter { key, value in
            data.string(key).elementsEqual("url".utf8) && data.kind(value) != .null
        }
        return members.map { _, value in
            data.kind(value) == .string ? String(decoding: data.string(value), as: UTF8.self) : nil
        }
    }
}

extension String {
    /// Where the query or the fragment begins.
    fileprivate var endOfPath: Index { firstIndex { $0 == "?" || $0 == "#" } ?? endIndex }
}
