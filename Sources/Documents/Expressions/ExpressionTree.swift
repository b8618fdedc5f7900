/// A parsed expression: its parts in one array, each behind those that it refers to.
struct ExpressionTree: Sendable {
    private(set) var parts: [Part] = []
    /// The column of each part.
    private(set) var columns: [Int] = []
    /// How many parts are nested in each, with itself.
    private(set) var levels: [Int] = []

    /// The place of a part in the tree.
    typealias Link = Int

    enum Part: Sendable {
        case current
        case root
        case literal(ExpressionValue)
        case field([UInt8])
        /// A variable of a `let`, by its place among those that are visible.
        case local(Int)
        case bound(BoundVariable)
        /// A variable that only the caller may know.
        case free(String)
        case index(Int)

        /// The second part is evaluated on the value of the first, if that is not null.
        case member(Link, Link)
        case pipe(Link, Link)
        case elements(Link, each: Link)
        case values(Link, each: Link)
        case flattened(Link, each: Link)
        case filtered(Link, by: Link, each: Link)
        case sliced(Link, Slice, each: Link)

        case list([Link])
        case hash([Entry])
        case or(Link, Link)
        case and(Link, Link)
        case not(Link)
        case choice(Link, then: Link, else: Link)
        case comparison(Comparison, Link, Link)
        case arithmetic(Arithmetic, Link, Link)
        case signed(isNegative: Bool, Link)
        case bindings([Link], in: Link)
        case call(ExpressionFunction, [Link])
        /// An expression for a function.
        case reference(Link)
    }

    struct Entry: Sendable {
        var key: [UInt8]
        var value: Link
    }

    struct Slice: Sendable {
        var start: Int?
        var stop: Int?
        var step = 1
    }

    enum Comparison: String, Sendable {
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case atMost = "<="
        case above = ">"
        case atLeast = ">="
    }

    enum Arithmetic: String, Sendable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divide = "/"
        case divideWhole = "//"
        case modulo = "%"
    }

    /// The whole expression.
    var top: Link { parts.count - 1 }

    mutating func append(_ part: Part, column: Int, levels level: Int) -> Link {
        parts.append(part)
        columns.append(column)
        levels.append(level)
        return parts.count - 1
    }
}

/// A variable that the surroundings of an evaluation bind.
package enum BoundVariable: String, CaseIterable, Sendable, Hashable {
    case now, today, zone, locale, family, limit, config
}
