import Testing

@testable import Documents

@Suite struct SideEditRuleTests {
    private static let versions =
        "version: shapes, versions: {1: {when: {}, schema: {properties: {a: {type: object}}, additionalProperties: false}}}"

    @Test(arguments: [
        ("reads: {group: floats}", "expected one of `double`, `float`, found `floats`"),
        ("reads: {widget: float}", "unknown key; known here: app, group"),
        ("keeps: {widget: [/a]}", "unknown key; known here: app, group"),
        (#"keeps: {group: [""]}"#, "a side keeps fields; for a whole document use `direction`"),
        ("keeps: {app: [/a/b], group: [/a]}", "neither side could change `/a/b`: let one of them keep it"),
        (
            "keeps: {app: [/a]}, direction: app-to-group",
            "with `direction`, one side keeps the whole document: remove one of the two"
        ),
        ("keeps: {app: [/b]}, \(versions)", "`keeps` names the field `b`, which does not exist"),
    ])
    func `a profile whose sides cannot be so is refused`(rule: String, reason: String) {
        let yaml = "profile: p\ndocuments: {a.json: {\(rule)}}\n"
        #expect { try Profile(yaml: yaml, file: "p.yaml") } throws: { error in
            let text = (error as? ProfileError)?.reason.text
            if text != reason { Issue.record("\(text ?? "")") }
            return true
        }
    }

    @Test func `fields that a side keeps are described`() throws {
        let yaml = "profile: p\ndocuments: {a.json: {keeps: {group: [/a, /b/*]}}}\n"
        let rule = try Profile(yaml: yaml, file: "p.yaml").rule(for: "a.json")
        #expect(
            rule.mergeWords.map { "\($0.place): \($0.words)" } == [
                "/a: group keeps it", "/b/*: group keeps it",
            ]
        )
    }
}
