/// Checks that the rule of a document is consistent: the lenses with the schemas, and all pointers with the
/// newest schema.
struct ProfileCheck {
    let rule: DocumentRule
    let fields: [String: YAMLField]

    func run() throws(ProfileError) {
        for (older, newer) in zip(rule.versions, rule.versions.dropFirst()) {
            try check(older, newer)
            try checkVersionField(newer)
            if case .shapes = rule.versionMark, newer.shape == nil, let field = try field(of: newer) {
                throw field.fail(.missing("when", .shape))
            }
        }
        try checkKept()
        guard let schema = rule.versions.last?.schema else { return }
        let newest = Shape(schema)
        try checkExpressions(newest)
        for (kind, value) in try fields["kinds"]?.members() ?? [] {
            let fields = try value.fields(WidgetKind.keys)
            for pointer in try fields["shows"]?.list() ?? [] {
                try check(pointer, try pointer.pointer(), newest, .kind(kind))
            }
            for pattern in try fields["ignore"]?.list() ?? [] {
                let tokens = try pattern.pointer().tokens
                do throws(ShapeFault) {
                    _ = try newest.inside(tokens[...])
                } catch {
                    throw pattern.fail(.unfit(.ignored(kind), error))
                }
            }
        }
        for (activity, member) in zip(rule.activities, try fields["activities"]?.members() ?? []) {
            try check(activity, member.value, newest)
        }
        try checkMergeRules(newest)
        if let field = try fields["stale"]?.fields(["field", "after", "missing"])["field"] {
            let pointer = try field.pointer()
            try check(field, pointer, newest, .staleness)
            do throws(ShapeFault) {
                try MergeRule.newest.check(newest.inside(pointer.tokens[...]), newest, pointer)
            } catch {
                throw field.fail(.unfit(.staleness, error))
            }
        }
    }

    private func checkExpressions(_ newest: Shape) throws(ProfileError) {
        var expressions = try fields["values"]?.members().map(\.value) ?? []
        for state in try fields["states"]?.list() ?? [] {
            expressions += try state.members().filter { $0.name == "when" }.map(\.value)
        }
        for (_, kind) in try fields["kinds"]?.members() ?? [] {
            for (name, field) in try kind.members() {
                if name == "values" { expressions += try field.members().map(\.value) }
                if name == "rows" { expressions.append(field) }
            }
        }
        for field in expressions {
            if let fault = try JSONExpression(field).fault(in: newest) {
                throw field.fail(.expression(fault))
            }
        }
    }

    private func check(
        _ field: YAMLField,
        _ pointer: JSONPointer,
        _ shape: Shape,
        _ subject: ProfileError.Subject
    ) throws(ProfileError) {
        var shape = shape
        do throws(ShapeFault) {
            try shape.change(at: pointer.tokens[...]) { _ in }
        } catch {
            throw field.fail(.unfit(subject, error))
        }
    }

    private func check(_ activity: LiveActivityRule, _ field: YAMLField, _ newest: Shape) throws(ProfileError)
    {
        let subject = ProfileError.Subject.activity(activity.name)
        let list = try inside(newest, activity.list, field, subject)
        switch list {
        case .any, .array: break
        case .object, .types: throw field.fail(.unfit(subject, .mismatch(.array, found: list.kind)))
        }
        let element = try inside(list, JSONPointer(tokens: [JSONPointer.anyToken]), field, subject)
        for pointer in activity.inElement { _ = try inside(element, pointer, field, subject) }
    }

    private func inside(
        _ shape: Shape,
        _ pointer: JSONPointer,
        _ field: YAMLField,
        _ subject: ProfileError.Subject
    ) throws(ProfileError) -> Shape {
        do throws(ShapeFault) { return try shape.inside(pointer.tokens[...]) } catch {
            throw field.fail(.unfit(subject, error))
        }
    }

    /// Checks that the lenses lead from one version to the next.
    private func check(_ older: VersionRule, _ newer: VersionRule) throws(ProfileError) {
        guard let field = try field(of: newer) else { return }
        let lenses = try field.fields(["schema", "when", "lenses"])["lenses"]
        var shape = older.schema.map { Shape($0) } ?? .any
        shape.takeOff(rule.versionMark)
        for (index, lens) in newer.lenses.enumerated() {
            do throws(ShapeFault) {
                try lens.shape(&shape)
            } catch {
                throw try (lenses?.list()[index] ?? field).fail(.unfit(.lens, error))
            }
        }
        guard let schema = newer.schema else { return }
        var target = Shape(schema)
        target.takeOff(rule.versionMark)
        if let difference = shape.difference(from: target) {
            throw (lenses ?? field).fail(.lenses(from: older.number, to: newer.number, difference))
        }
    }

    /// Does a lens put something else where documents have their version?
    private func checkVersionField(_ version: VersionRule) throws(ProfileError) {
        guard case .field(let key, _) = rule.versionMark, let field = try field(of: version) else { return }
        let unknown = Shape.object(Shape.Fields(others: .any))
        var shape = unknown
        var maker: Int?
        for (index, lens) in version.lenses.enumerated() {
            if (try? lens.shape(&shape)) == nil { shape = unknown }
            guard case .object(let fields) = shape, fields.index(of: key) != nil else {
                maker = nil
                continue
            }
            maker = maker ?? index
        }
        guard let maker else { return }
        let lenses = try field.fields(["schema", "when", "lenses"])["lenses"]
        throw try (lenses?.list()[maker] ?? field).fail(.rule(.versionFieldMade(name(key))))
    }

    private func field(of version: VersionRule) throws(ProfileError) -> YAMLField? {
        try fields["versions"]?.members().first { $0.name == "\(version.number)" }?.value
    }
}
