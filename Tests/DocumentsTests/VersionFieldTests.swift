import Documents
import Testing

/// No lens may put anything where documents have their version.
struct VersionFieldTests {
    private func plain(_ lenses: String) -> String {
        """
        profile: p
        documents:
          d.json:
            version: {field: version, missing: 1}
            versions:
              1: {}
              2:
                lenses:
                  - \(lenses)

        """
    }

    /// Lenses, and the line of the one that is wrong.
    @Test(
        arguments: [
            ("wrap: version", 9), ("rename: {from: a, to: version}", 9),
            ("add: {field: version, value: 1}", 9),
            ("split: {field: a, into: [b, version], by: x}", 9),
            ("remove: b\n          - wrap: version", 10),
            ("rename: {from: a, to: version}\n          - rename: {from: version, to: b}", nil),
            ("wrap: version\n          - wrap: data", nil), ("in: {field: /o, lenses: [wrap: version]}", nil),
        ] as [(String, Int?)]
    )
    func `A lens may not make the field that holds the version`(lenses: String, line: Int?) throws {
        let plain = plain(lenses)
        guard let line else {
            _ = try Profile(yaml: plain, file: "p")
            return
        }
        #expect {
            try Profile(yaml: plain, file: "p")
        } throws: {
            let error = $0 as? ProfileError
            if error?.line != line { Issue.record("\($0)") }
            return error?.reason == .rule(.versionFieldMade("version"))
        }
    }

    @Test func `The field of the version stays where it is`() throws {
        let rule = try Profile(yaml: plain("rename: {from: a, to: b}"), file: "p").rule(for: "d.json")
        let v1 = try JSON(#"{"a":1,"version":1,"x":0}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        #expect(v2.string == #"{"b":1,"version":2,"x":0}"#)
        // Where the document has none, it comes first.
        let made = try rule.translate(JSON(#"{"a":1}"#), from: 1, to: 2, agreed: nil)
        #expect(made.string == #"{"version":2,"b":1}"#)
    }

    @Test func `A version field that the schema requires is written even where it may be missing`() throws {
        let yaml = plain("rename: {from: a, to: b}").replacing(
            "1: {}",
            with: "1: {schema: {properties: {version: {const: 1}, a: {}}, required: [version, a]}}"
        )
        let rule = try Profile(yaml: yaml, file: "p").rule(for: "d.json")
        let back = try rule.migration(of: JSON(#"{"version":2,"b":1}"#), to: 1)
        #expect(back.verdict == .lossless && back.result?.string == #"{"version":1,"a":1}"#)
        #expect(try rule.migration(of: JSON(#"{"version":1,"a":1}"#)).verdict == .lossless)
    }

    @Test(arguments: [
        ("unwrap: d", #"{"d":{"version":{"a":1}}}"#), ("unwrap: d", #"{"d":{"version":7}}"#),
        ("copy: {from: a, to: version}", #"{"a":1}"#),
        ("hoist: {field: version, from: o}", #"{"o":{"version":1}}"#),
        ("move: {from: /o/a, to: /version}", #"{"o":{"a":1}}"#),
    ])
    func `A document whose version would stand twice is refused`(lenses: String, text: String) throws {
        let rule = try Profile(yaml: plain(lenses), file: "p").rule(for: "d.json")
        #expect(throws: DocumentError.self) {
            try rule.translate(JSON(text), from: 1, to: 2, agreed: nil)
        }
    }
}
