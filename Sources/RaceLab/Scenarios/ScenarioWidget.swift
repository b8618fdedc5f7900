package import Documents
package import Model

/// A kind of widget of which one is placed, so that the policy decides when it reloads.
package struct ScenarioWidget: Sendable, Hashable {
    package var kind: String
    /// What it shows.
    package var document: RelativePath
    /// Fields of the document whose changes are invisible, as patterns.
    package var ignores: [JSONPointer]
    /// How many reloads it may have within 24 hours; `nil`: the standard budget.
    package var budget: Int?
    /// How old what it shows may become, in seconds; `nil`: it never becomes stale.
    package var staleAfter: Int?

    /// More than a few reloads within this time are a storm.
    static let moment = Duration.milliseconds(500)

    package init(
        kind: String,
        document: RelativePath,
        ignores: [JSONPointer] = [],
        budget: Int? = nil,
        staleAfter: Int? = nil
    ) {
        (self.kind, self.document, self.ignores) = (kind, document, ignores)
        (self.budget, self.staleAfter) = (budget, staleAfter)
    }
}

extension ScenarioReader {
    mutating func widgets(_ field: YAMLField?, of scenario: Scenario) -> [ScenarioWidget] {
        if let field, scenario.profile != nil {
            refuse(field.fail("give `widgets` or a `profile`, not both"))
        }
        let members = value(field) { field throws(ProfileError) in try field.members() } ?? []
        return members.reduce(into: []) { widgets, member in
            guard let widget = widget(member.name, member.value, scenario.documents) else { return }
            if widgets.contains(where: {
                $0.document == widget.document && $0.staleAfter != widget.staleAfter
            }) {
                refuse(
                    member.value.fail("`stale` differs from that of another widget of `\(widget.document)`")
                )
            }
            widgets.append(widget)
        }
    }

    private mutating func widget(
        _ kind: String,
        _ field: YAMLField,
        _ documents: [ScenarioDocument]
    ) -> ScenarioWidget? {
        let fields = fields(of: field, ["document", "ignore", "budget", "stale"])
        checkName(kind, field)
        guard let document = path(fields["document"]) ?? documents.first?.path else { return nil }
        if !isSaved, let named = fields["document"], !documents.contains(where: { $0.path == document }) {
            refuse(named.fail("`\(document)` is not one of the scenario's documents"))
        }
        let ignores = value(fields["ignore"]) { field throws(ProfileError) in try field.pointers() } ?? []
        let age = duration(fields["stale"], upTo: ScenarioLimits.wait)
        if let age, let field = fields["stale"], age < .seconds(1) || age.components.attoseconds > 0 {
            refuse(field.fail("expected whole seconds such as `10s`"))
        }
        return ScenarioWidget(
            kind: kind,
            document: document,
            ignores: ignores,
            budget: count(fields["budget"], upTo: ScenarioLimits.operations, "reloads"),
            staleAfter: age.map { Int($0.components.seconds) }
        )
    }
}

extension ScenarioWidget {
    /// As a member of the scenario's `widgets`.
    var json: JSONText {
        var members = [("document", JSONText(document.description))]
        if !ignores.isEmpty { members.append(("ignore", JSONText(ignores.map { JSONText($0.description) }))) }
        if let budget { members.append(("budget", JSONText(budget))) }
        if let staleAfter { members.append(("stale", JSONText("\(staleAfter)s"))) }
        return JSONText(object: members)
    }
}

extension [ScenarioWidget] {
    /// Whether the kind is placed; its reloads may have to wait for a slot.
    func has(_ kind: String) -> Bool { contains { $0.kind == kind } }
}
