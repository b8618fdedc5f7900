import Foundation

/// What a style uses a colour for.
enum ColourUse {
    /// On these grounds; `contents` is any colour of a content.
    case ink(on: [String])
    /// Others stand on it.
    case ground
    /// Nothing is lost where it is not seen.
    case decoration
}

/// The colours of a style sheet, in one colour scheme.
struct PageColours {
    struct Use: Hashable {
        let selector: String
        let property: String
        let colour: String

        var name: String { "\(selector) | \(property)" }
    }

    private let variables: [String: String]
    let uses: [Use]

    private static let properties: Set = [
        "color", "background", "fill", "stroke", "outline", "border", "border-left", "border-top",
        "border-bottom",
    ]

    init(_ style: String, isDark: Bool) {
        var plain = ""
        var dark = ""
        var rest = Substring(style)
        // A block in a block, as in `@media (…) { a { … } }`.
        while let start = rest.range(of: "@media") {
            plain += rest[..<start.lowerBound]
            let (head, body, after) = Self.block(rest[start.lowerBound...])
            if head.contains("prefers-color-scheme: dark") { dark += body } else { plain += body }
            rest = after
        }
        plain += rest
        var variables: [String: String] = [:]
        var uses: [Use] = []
        for (selectors, declarations) in Self.rules(plain) + (isDark ? Self.rules(dark) : []) {
            for (property, value) in declarations {
                if property.hasPrefix("--") { variables[property] = value }
                guard Self.properties.contains(property), let colour = Self.colour(in: value) else {
                    continue
                }
                uses += selectors.map { Use(selector: $0, property: property, colour: colour) }
            }
        }
        (self.variables, self.uses) = (variables, uses)
    }

    private static func block(_ text: Substring) -> (head: Substring, body: Substring, after: Substring) {
        guard let open = text.firstIndex(of: "{") else { return (text, "", "") }
        var depth = 0
        for place in text.indices[open...] {
            if text[place] == "{" { depth += 1 }
            if text[place] == "}" { depth -= 1 }
            if depth == 0 {
                return (
                    text[..<open], text[text.index(after: open)..<place], text[text.index(after: place)...]
                )
            }
        }
        return (text[..<open], text[open...], "")
    }

    private static func rules(_ text: String) -> [(selectors: [String], [(String, String)])] {
        text.split(separator: "}").compactMap { rule in
            let parts = rule.split(separator: "{")
            guard parts.count == 2 else { return nil }
            let declarations = parts[1].split(separator: ";").compactMap { one -> (String, String)? in
                let halves = one.split(separator: ":", maxSplits: 1).map { trimmed($0) }
                return halves.count == 2 ? (halves[0], halves[1]) : nil
            }
            return (parts[0].split(separator: ",").map { trimmed($0) }, declarations)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// `--text` or `#1c1e21`.
    private static func colour(in value: String) -> String? {
        value.firstMatch(of: /var\((--[a-z]+)\)|(#[0-9a-f]+)/).map { String($0.1 ?? $0.2 ?? "") }
    }

    // MARK: Contrast

    /// The colour of a variable, over that of another if it is transparent.
    func value(_ name: String, over ground: String = "--paper") -> [Double]? {
        let text = name.hasPrefix("#") ? name : variables[name] ?? ""
        var digits = text.dropFirst()
        guard text.hasPrefix("#") else { return nil }
        if digits.count < 6 { digits = Substring(digits.map { "\($0)\($0)" }.joined()) }
        let parts = stride(from: 0, to: digits.count, by: 2).compactMap { place -> Double? in
            Int(digits.dropFirst(place).prefix(2), radix: 16).map { Double($0) / 255 }
        }
        guard parts.count == 4, let below = value(ground) else { return parts.count == 3 ? parts : nil }
        return zip(parts, below).map { $0 * parts[3] + $1 * (1 - parts[3]) }
    }

    /// By the Web Content Accessibility Guidelines, from 1 to 21.
    static func contrast(_ one: [Double], _ other: [Double]) -> Double {
        func luminance(_ colour: [Double]) -> Double {
            let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
}
