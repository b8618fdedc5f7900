/// What a kind of widget computes from a document.
package struct ComputedContent: Sendable, Hashable {
    /// By name, in the profile's order.
    package var values: [NamedExpression] = []
    /// The list whose elements it shows, as many as its family has room for.
    package var rows: JSONExpression?
    /// By name, in the profile's order. Their arguments are values, and `more`.
    package var texts: [NamedText] = []
    /// Of each row. Their arguments are its members.
    package var rowTexts: [NamedText] = []

    /// The argument that says how many rows are left out.
    package static let moreName = "more"

    package var isEmpty: Bool { values.isEmpty && rows == nil && texts.isEmpty }

    /// Whether widgets of different sizes, or with different parameters, show different things.
    package var dependsOnWidget: Bool {
        rows != nil || values.contains { $0.expression.dependencies.widget != nil }
    }

    /// Whether a text says how many rows are left out.
    var showsMore: Bool {
        texts.contains { $0.text.all.contains { $0.arguments.contains { $0.name == Self.moreName } } }
    }

    /// Whether what it gives may change without a change of the document.
    package var readsMoment: Bool {
        values.contains { $0.expression.dependencies.moment != nil } || rows?.dependencies.moment != nil
    }
}

package struct NamedExpression: Sendable, Hashable {
    package var name: String
    package var expression: JSONExpression
}

package struct NamedText: Sendable, Hashable {
    package var name: String
    package var text: LocalizedMessage
}

/// A message in one or several languages.
package struct LocalizedMessage: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// Such as `it` or `pt_BR`; `nil` for all.
        var locale: String?
        var message: Message
    }

    /// At least one, in the profile's order.
    private let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    package init(_ message: Message) { self.init([Entry(locale: nil, message: message)]) }

    /// That of the locale, or of the longest part of it that there is, else the first one of its language,
    /// else the first one; with the locale in which it is written.
    package func message(for locale: String?) -> (message: Message, locale: String?) {
        guard let locale else { return (entries[0].message, entries[0].locale) }
        let wanted = Self.parts(locale)
        let alike = entries.filter { $0.locale.map(Self.parts)?.first == wanted.first }
        let prefixes = alike.filter { wanted.starts(with: Self.parts($0.locale ?? "")) }
        let longest = prefixes.max { Self.parts($0.locale ?? "").count < Self.parts($1.locale ?? "").count }
        if let found = longest ?? alike.first { return (found.message, Self.name(locale)) }
        return (entries[0].message, entries[0].locale ?? Self.name(locale))
    }

    package var all: [Message] { entries.map(\.message) }

    /// Language, script and region, in lower case. Where Chinese is written in traditional characters, the
    /// region says it (https://www.unicode.org/cldr/charts/46/supplemental/likely_subtags.html).
    private static func parts(_ locale: String) -> [String] {
        var parts = locale.split { $0 == "_" || $0 == "-" }.map { $0.lowercased() }
        if parts.count == 2, parts[0] == "zh", ["tw", "hk", "mo"].contains(parts[1]) {
            parts.insert("hant", at: 1)
        }
        return parts
    }

    /// As Foundation has it.
    private static func name(_ locale: String) -> String {
        let parts = locale.split { $0 == "_" || $0 == "-" }
        return ([parts.first?.lowercased() ?? ""] + parts.dropFirst().map(String.init)).joined(separator: "_")
    }
}
