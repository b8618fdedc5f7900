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
