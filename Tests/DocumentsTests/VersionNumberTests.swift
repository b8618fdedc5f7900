import Documents
import Testing

/// Programs of the field begin to count at -1, 0 or 1.
@Suite("Version numbers")
struct VersionNumberTests {
    private func rule(_ versions: String, missing: Int? = nil) throws -> DocumentRule {
        let missing = missing.map { ", missing: \($0)" } ?? ""
        let yaml = """
            profile: p
            documents:
              d.json:
                version: {field: version\(missing)}
                versions: {\(versions)}
            """
        return try Profile(yaml: yaml, file: "p.yaml").rule(for: "d.json")
    }

    @Test(arguments: [(-1, 0), (0, 1), (-1, 3)])
    func `begin at -1, 0 or 1`(old: Int, new: Int) throws {
        let rule = try rule("\(old): {}, \(new): {lenses: [{rename: {from: a, to: b}}]}")
        let document = try JSON(#"{"version":\#(old),"a":1}"#)
        #expect(rule.version(of: document) == .known(old))
        let migrated = try rule.translate(document, from: old, to: new, agreed: nil)
        #expect(migrated.string == #"{"version":\#(new),"b":1}"#)
        #expect(rule.version(of: migrated) == .known(new))
        #expect(try rule.translate(migrated, from: new, to: old, agreed: nil).string == document.string)
    }

    @Test func `of a document without one may be below 1`() throws {
        let rule = try rule("-1: {}, 0: {}", missing: -1)
        #expect(rule.version(of: try JSON("{}")) == .known(-1))
    }

    @Test(arguments: ["-2: {}", "0: {}, -1: {}", "01: {}", "1.5: {}"])
    func `below -1, out of order or not whole are refused`(versions: String) {
        #expect(throws: ProfileError.self) { try rule(versions) }
    }
}
