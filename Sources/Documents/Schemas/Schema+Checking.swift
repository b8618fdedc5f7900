extension Schema {
    /// The violations of a document, in the order of its text; at most `mostViolations`.
    package func violations(of document: JSON) -> [SchemaViolation] {
        var run = SchemaRun(schema: self, document: document)
        return run.violations()
    }

    package static let mostViolations = 100

    /// One that shows that a document does not match: the rest is not checked.
    package func firstViolation(of document: JSON) -> SchemaViolation? {
        var run = SchemaRun(schema: self, document: document)
        run.endsAtFirst = true
        return run.violations().first
    }

    /// The most steps that patterns may take for one document: about a second. Each is one step of a
    /// pattern at one code point.
    static let mostPatternSteps = 100_000_000

    /// Whether a value of a document matches; `nil` if finding out takes too long.
    func fits(_ node: Int, of document: JSON) -> Bool? {
        var run = SchemaRun(schema: self, document: document)
        let violations = run.violations(of: node)
        return violations.contains(where: \.isUndecided) ? nil : violations.isEmpty
    }
}
