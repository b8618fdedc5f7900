/// An expression of JMESPath (https://jmespath.org/specification.html), with the arithmetic, `let` and `$` of
/// its community edition (https://github.com/jmespath-community/jmespath.spec).
package struct JSONExpression: Sendable {
    package let text: String
    /// What its value depends on besides the document.
    package let dependencies: Dependencies
    let tree: ExpressionTree

    /// The most bytes of an expression.
    package static let mostBytes = 64 << 10
    /// The most levels of an expression: each operator, bracket and step is one. So small that a thread with
    /// a stack of 512 kB can evaluate it.
    package static let mostLevels = 220

    package init(parsing text: String) throws(ExpressionError) {
        guard text.utf8.count <= Self.mostBytes else {
            throw ExpressionError(column: 1, reason: .tooLong(limit: Self.mostBytes))
        }
        var parser = try ExpressionParser(text)
        try parser.parse()
        self.text = text
        (tree, dependencies) = (parser.tree, parser.dependencies)
    }

    /// What an expression reads besides the document, each with its first use.
    package struct Dependencies: Sendable, Hashable {
        /// `$now`, `$today`, and the functions that read them.
        package internal(set) var moment: Use?
        /// `$zone`, `$locale`, and the functions that count days.
        package internal(set) var place: Use?
        /// `$family`, `$limit` and `$config`.
        package internal(set) var widget: Use?
        /// Variables that neither the expression nor the surroundings bind.
        package internal(set) var free: [Use] = []

        package init() {}
    }

    /// A variable, with its `$`, or a function.
    package struct Use: Sendable, Hashable {
        package let name: String
        /// From 1, in Unicode scalars of the expression.
        package let column: Int

        package init(name: String, column: Int) { (self.name, self.column) = (name, column) }
    }
}

extension JSONExpression: Hashable {
    package static func == (a: JSONExpression, b: JSONExpression) -> Bool { a.text == b.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
