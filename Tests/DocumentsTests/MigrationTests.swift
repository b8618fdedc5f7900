import Documents
import Foundation
import Testing

/// What a migration would make of one document.
@Suite struct MigrationTests {
    private let rule: DocumentRule

    init() throws {
        let budget = try #require(Profile.builtIn("budget"))
        rule = budget.rule(for: "budget.json")
    }

    private let v1 = #"""
        {"spent":450.50,"limit":800.00,"month":"Gennaio 2026","currency":"€","isDarkMode":false,\#
        "lastUpdated":"2026-01-18T14:30:00.000Z","groupId":"123e4567-e89b-12d3-a456-426614174000"}
        """#

    @Test func `A migration that the way back undoes is lossless`() throws {
        let migration = rule.migration(of: try JSON(v1))
        #expect(migration.verdict == .lossless && migration.from == 1 && migration.to == 2)
        #expect(migration.result?.string.hasPrefix(#"{"version":2,"data":{"totalAmount":450.50,"#) == true)
        #expect(migration.lenses.last?.words == "wrap in `data`")
        #expect(rule.check(migrationOf: try JSON(v1)) == .same(isExact: true))
    }

    @Test func `A document of the target version needs no migration`() throws {
        let newest = try #require(rule.migration(of: try JSON(v1)).result)
        let again = rule.migration(of: newest)
        #expect(again.verdict == .current && again.result == nil && again.to == 2)
        #expect(rule.check(migrationOf: newest) == .nothing(.current))
    }

    @Test func `Values that the older version cannot represent are reported`() throws {
        let newest = try #require(rule.migration(of: try JSON(v1)).result)
        let counted = try JSON(newest.string.replacing(#""expenseCount":0"#, with: #""expenseCount":23"#))
        let down = rule.migration(of: counted, to: 1)
        guard case .lossy(let losses) = down.verdict else {
            Issue.record("\(down.verdict)")
            return
        }
        #expect(losses.map(\.pointer) == ["/data/expenseCount"])
        #expect(rule.check(migrationOf: counted, to: 1) == .lossy(losses))
    }

    @Test func `A repeated local hour is a reported loss`() throws {
        let twice = v1.replacing("2026-01-18T14:30:00.000Z", with: "2026-10-25T02:30:00")
        guard case .lossy(let losses) = rule.migration(of: try JSON(twice)).verdict else {
            Issue.record("not lossy")
            return
        }
        #expect(losses.first?.pointer == "/lastUpdated")
    }

    @Test(arguments: [
        (#"{"version":3}"#, DocumentMigration.Verdict.newer(3)),
        (#"{"version":99999999999999999999}"#, .newer(.max)),
    ])
    func `A newer document is left unchanged`(_ text: String, _ verdict: DocumentMigration.Verdict) throws {
        let migration = rule.migration(of: try JSON(text))
        #expect(migration.verdict == verdict && migration.result == nil)
    }

    @Test(arguments: [
        (
            #"{"version":0}"#, "1:12",
            "its version cannot be determined: 1:12: `version` is 0, a version that the profile does not "
                + "know; it knows 1, 2",
            "its version cannot be determined: `version` is 0, a version that the profile does not know; "
                + "it knows 1, 2"
        ),
        (
            #"{"version":"2"}"#, "1:12",
            "its version cannot be determined: 1:12: `version` is a string, not a version",
            "its version cannot be determined: `version` is a string, not a version"
        ),
        (
            "{}", "1:1",
            "it violates the schema of version 1: 1:1: the document has no `spent` (/required)",
            "it violates the schema of version 1: the document has no `spent` (/required)"
        ),
    ])
    func `A blocked migration has its reason and position`(
        _ text: String,
        _ place: String,
        _ words: String,
        _ withoutPlace: String
    ) throws {
        let migration = rule.migration(of: try JSON(text))
        guard case .blocked(let block) = migration.verdict else {
            Issue.record("\(migration.verdict)")
            return
        }
        #expect(migration.result == nil && block.text == words)
        #expect(block.located.position?.text == place && block.located.withoutPosition == withoutPlace)
    }

    @Test func `A reason is sent over the socket as text with its position`() throws {
        for text in [#"{"version":0}"#, "{}"] {
            let verdict = rule.migration(of: try JSON(text)).verdict
            let coded = try JSONEncoder().encode(verdict)
            guard case .blocked(let block) = verdict,
                case .blocked(let told) = try JSONDecoder().decode(
                    DocumentMigration.Verdict.self,
                    from: coded
                )
            else {
                Issue.record("\(verdict)")
                return
            }
            #expect(told == .reported(block.located))
            let object = try JSONDecoder().decode([String: Told].self, from: coded)
            #expect(object["blocked"]?._0 == block.text)
        }
        for verdict in [.current, .newer(3), .lossy([]), .blocked(.reported("so"))]
            as [DocumentMigration.Verdict]
        {
            let coded = try JSONEncoder().encode(verdict)
            #expect(try JSONDecoder().decode(DocumentMigration.Verdict.self, from: coded) == verdict)
        }
    }

    /// What a client of an older release decodes.
    private struct Told: Decodable { var _0: String }

    @Test func `A document without versions cannot be migrated`() throws {
        #expect(DocumentRule.plain(path: "a.json").migration(of: try JSON("{}")).verdict == .unversioned)
    }

    @Test func `A version that the profile does not have is refused`() throws {
        let migration = rule.migration(of: try JSON(v1), to: 7)
        #expect(migration.verdict == .blocked(.untranslatable(.unknownVersion(7))))
    }

    @Test func `The steps are sent over the socket with their effects`() throws {
        let migration = rule.migration(of: try JSON(v1))
        let coded = try JSONEncoder().encode(migration)
        let told = try JSONDecoder().decode(DocumentMigration.self, from: coded)
        #expect(told.lenses == migration.lenses && told.lenses.contains { $0.effect == .adds })
        #expect(told.verdict == migration.verdict && told.result?.bytes == migration.result?.bytes)
        #expect(told.from == migration.from && told.to == migration.to)
    }

    @Test func `Messages of older and newer agents are decoded`() throws {
        let blocked = #"{"blocked":{"_0":"it does not exist"}}"#
        #expect(
            try JSONDecoder().decode(DocumentMigration.Verdict.self, from: Data(blocked.utf8))
                == .blocked(.reported("it does not exist"))
        )
        for effects in ["", #","effects":["from later"]"#] {
            let text =
                #"{"verdict":{"lossless":{}},"from":1,"to":2,"lenses":["rename /a to /b"]"# + effects + "}"
            let told = try JSONDecoder().decode(DocumentMigration.self, from: Data(text.utf8))
            #expect(told.lenses.map(\.words) == ["rename /a to /b"])
            #expect(told.lenses.map(\.effect) == [.changes])
        }
    }
}
