/// A key of a profile's `documents:` with `*`, which matches any characters within one component of a path.
struct DocumentPattern: Sendable {
    let text: String
    private let bytes: [UInt8]

    private static let star = UInt8(ascii: "*")
    private static let slash = UInt8(ascii: "/")

    /// `nil` if the text is a plain name.
    init?(_ text: String) {
        guard text.utf8.contains(Self.star) else { return nil }
        self.text = text
        bytes = Array(text.utf8)
    }

    /// `**` is refused, because it would suggest a pattern for whole directories.
    var hasDoubleStar: Bool { zip(bytes, bytes.dropFirst()).contains { $0 == Self.star && $1 == Self.star } }

    /// If two patterns match a name, the one with more literal characters applies.
    var literalCount: Int { bytes.count { $0 != Self.star } }

    func fits(_ path: String) -> Bool {
        let name = path.utf8
        var (place, index) = (0, name.startIndex)
        // The index after the last `*`, and where in the name the text that it matches ends so far.
        var last: (place: Int, index: String.Index)?
        while index != name.endIndex {
            if place < bytes.count, bytes[place] == Self.star {
                place += 1
                last = (place, index)
            } else if place < bytes.count, bytes[place] == name[index] {
                place += 1
                name.formIndex(after: &index)
            } else if let star = last, name[star.index] != Self.slash {
                let longer = name.index(after: star.index)
                last = (star.place, longer)
                (place, index) = (star.place, longer)
            } else {
                return false
            }
        }
        return bytes[place...].allSatisfy { $0 == Self.star }
    }

    /// Whether a name exists that both match.
    func overlaps(_ other: DocumentPattern) -> Bool {
        let (mine, its) = (bytes, other.bytes)
        // Whether the remainders of both patterns from two indexes match a common name.
        var below = [Bool](repeating: false, count: its.count + 1)
        for place in stride(from: mine.count, through: 0, by: -1) {
            var row = below
            for otherPlace in stride(from: its.count, through: 0, by: -1) {
                let own = place < mine.count ? mine[place] : nil
                let another = otherPlace < its.count ? its[otherPlace] : nil
                row[otherPlace] =
                    switch (own, another) {
                    case (nil, nil): true
                    case (Self.star, _):
                        below[otherPlace] || another != nil && another != Self.slash && row[otherPlace + 1]
                    case (_, Self.star):
                        row[otherPlace + 1] || own != nil && own != Self.slash && below[otherPlace]
                    default: own == another && below[otherPlace + 1]
                    }
            }
            below = row
        }
        return below[0]
    }
}

/// Finds a document's rule by its name: the rule of exactly that name, else that of the most specific
/// pattern.
struct DocumentIndex: Sendable {
    /// The first rule of each name. Swift treats some names as equal whose bytes differ.
    private var names: [String: Int] = [:]
    /// The most specific patterns first.
    private var patterns: [(pattern: DocumentPattern, place: Int)] = []
    private(set) var hasViews = false

    init(_ rules: [DocumentRule] = []) {
        for (place, rule) in rules.enumerated() {
            if let pattern = DocumentPattern(rule.path) {
                patterns.append((pattern, place))
            } else if names[rule.path] == nil {
                names[rule.path] = place
            }
            hasViews = hasViews || !rule.views.isEmpty
        }
        patterns.sort { ($0.pattern.literalCount, $1.place) > ($1.pattern.literalCount, $0.place) }
    }

    func rule(of path: String, in rules: [DocumentRule]) -> DocumentRule? {
        if let place = names[path] {
            if rules[place].path.utf8.elementsEqual(path.utf8) { return rules[place] }
            if let rule = rules.first(where: { $0.path.utf8.elementsEqual(path.utf8) }) { return rule }
        }
        return patterns.first { $0.pattern.fits(path) }.map { Self.fit(rules[$0.place], to: path) }
    }

    func pattern(fitting text: String) -> Int? {
        names[text] == nil ? patterns.first { $0.pattern.text == text || $0.pattern.fits(text) }?.place : nil
    }

    /// The rule of a pattern, for one of its documents: its views are named after the document, and so is
    /// the kind if the profile names none.
    private static func fit(_ rule: DocumentRule, to document: String) -> DocumentRule {
        var fit = rule
        if rule.kinds.count == 1, rule.kinds[0].name == rule.path { fit.kinds[0].name = document }
        for (place, view) in rule.views.enumerated() {
            fit.views[place] = DocumentView(of: document, view.version, in: view.container)
        }
        return fit
    }

    /// Two equally specific patterns that match a common name.
    func tie(in rules: [DocumentRule]) -> (place: Int, other: String)? {
        for (number, one) in patterns.enumerated() {
            for two in patterns[(number + 1)...] {
                guard one.pattern.literalCount == two.pattern.literalCount else { break }
                if one.pattern.overlaps(two.pattern) { return (two.place, one.pattern.text) }
            }
        }
        return nil
    }

    /// The first pattern with a `**`.
    var wrongPattern: Int? { patterns.first { $0.pattern.hasDoubleStar }?.place }
}
