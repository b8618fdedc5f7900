import Documents
import TestDocuments
import Testing

@Suite("The five apps")
struct AppsTests {
    @Test("version 1 becomes version 2, and each is valid", arguments: Fixture.all)
    func upgrades(fixture: Fixture) throws {
        let rule = try fixture.rule()
        let v1 = try JSON(fixture.v1)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        #expect(v2.string == fixture.v2)
        #expect(rule.version(of: v1) == .known(1))
        #expect(rule.version(of: v2) == .known(2))
        #expect(rule.violations(of: v1, version: 1).map(\.text) == [])
        #expect(rule.violations(of: v2, version: 2).map(\.text) == [])
        let losses = try rule.migration(of: v1, from: 1, to: 2).losses.map(\.pointer)
        #expect(Set(losses) == Set(fixture.losses))
    }

    @Test("migrating there and back gives the same bytes, in both directions", arguments: Fixture.all)
    func roundTrips(fixture: Fixture) throws {
        let rule = try fixture.rule()
        let v1 = try JSON(fixture.v1)
        let v2 = try JSON(fixture.v2)
        #expect(try rule.translate(v2, from: 2, to: 1, agreed: (v2, v1)).bytes == v1.bytes)
        let down = try rule.translate(v2, from: 2, to: 1, agreed: nil)
        #expect(rule.violations(of: down, version: 1).map(\.text) == [])
        #expect(try rule.translate(down, from: 1, to: 2, agreed: (down, v2)).bytes == v2.bytes)
        // In a document with another formatting, only the changed values change.
        let spaced = try JSON(
            fixture.v2.replacing(":", with: ": ").replacing("T14: 30: 00", with: "T14:30:00")
        )
        if spaced.isEqual(to: v2) {
            #expect(try rule.translate(spaced, from: 2, to: 1, agreed: (v2, v1)).bytes == v1.bytes)
        }
    }

    @Test("an unknown field survives both directions", arguments: Fixture.all)
    func keepsUnknownFields(fixture: Fixture) throws {
        let rule = try fixture.rule()
        let v1 = try JSON(fixture.v1)
        let v2 = try JSON(fixture.v2)
        let unknown = #""未知":[1e400,{"a":"\ud800"}]"#
        let place = fixture.profile == "habits" ? "\"title\": \"Water\"" : "\"currency\":"
        let anchor = fixture.v1.contains(place) ? place : "\"taskCount\""
        let edited = try JSON(fixture.v1.replacing(anchor, with: "\(unknown),\(anchor)", maxReplacements: 1))
        let up = try rule.translate(edited, from: 1, to: 2, agreed: (v1, v2))
        #expect(up.string.contains(#"[1e400,{"a":"\ud800"}]"#))
        let back = try rule.translate(up, from: 2, to: 1, agreed: (v2, v1))
        #expect(back.isEqual(to: edited))
    }

    @Test("errors of the apps are reported with pointer and rule", arguments: BrokenFixture.all)
    func tellsBroken(fixture: BrokenFixture) throws {
        let rule = try #require(Profile.builtIn(fixture.profile)).rule(for: "\(fixture.profile).json")
        let document = try JSON(fixture.text)
        #expect(rule.version(of: document) == fixture.version)
        guard case .known(let version) = fixture.version else { return }
        let found = rule.violations(of: document, version: version).first.map {
            "\($0.pointer) \($0.reason.text)"
        }
        #expect(found == fixture.violation)
    }

    @Test(
        "budget has four forms of time, and keeps the one it uses",
        arguments: [
            ("\"2026-01-18T14:30:00.000Z\"", "2026-01-18T14:30:00.000Z", "\"2026-01-18T15:00:00.5Z\""),
            ("\"2026-01-18T15:30:00.123456\"", "2026-01-18T14:30:00.123456Z", "\"2026-01-18T16:00:00.5\""),
            ("1768746600000", "2026-01-18T14:30:00.000Z", "1768748400500"),
            ("\"1768746600000\"", "2026-01-18T14:30:00.000Z", "\"1768748400500\""),
        ]
    )
    func budgetTimes(form: String, instant: String, edited: String) throws {
        let rule = try Budget.rule()
        let v1 = try JSON(Budget.v1.replacing("\"2026-01-18T14:30:00.000Z\"", with: form))
        #expect(rule.violations(of: v1, version: 1).map(\.text) == [])
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        #expect(v2.string == Budget.v2.replacing("2026-01-18T14:30:00.000Z", with: instant))
        let new = try JSON(v2.string.replacing(instant, with: "2026-01-18T15:00:00.5Z"))
        let back = try rule.translate(new, from: 2, to: 1, agreed: (v2, v1))
        #expect(back.string == v1.string.replacing(form, with: edited))
    }

    @Test("a habit keeps the ID of the group that version 2 assigned")
    func habitGroups() throws {
        let rule = try Fixture.habits.rule()
        let v1 = try JSON(#"[{"habits":{"h":{"id":"h","title":"t","group":"Art"}}},{}]"#)
        let v2 = try JSON(
            #"[{"habits":{"h":{"id":"h","title":"t","groupId":"u1","order":0,"weeklyTarget":3}},"#
                + #""habitGroups":{"u1":{"id":"u1","title":"Art","color":"red","order":5},"#
                + #""u2":{"id":"u2","title":"Empty","order":7}}},{}]"#
        )
        let new = try JSON(
            #"[{"habits":{"h":{"id":"h","title":"t","group":"Art"},"i":{"id":"i","title":"u","group":"Art"},"#
                + #""j":{"id":"j","title":"v","group":"Zoo"}}},{}]"#
        )
        let up = try rule.translate(new, from: 1, to: 2, agreed: (v1, v2))
        #expect(
            up.string
                == #"[{"habits":{"h":{"id":"h","title":"t","groupId":"u1","order":0,"weeklyTarget":3},"#
                + #""i":{"id":"i","title":"u","groupId":"u1","order":10,"weeklyTarget":7},"#
                + #""j":{"id":"j","title":"v","groupId":"group:Zoo","order":20,"weeklyTarget":7}},"#
                + #""habitGroups":{"u1":{"id":"u1","title":"Art","color":"red","order":5},"#
                + #""group:Zoo":{"id":"group:Zoo","title":"Zoo","order":10},"#
                + #""u2":{"id":"u2","title":"Empty","order":7}}},{}]"#
        )
        // The widget renames the group, so the text of all its habits changes.
        let renamed = try JSON(v2.string.replacing("\"Art\"", with: "\"Music\""))
        let down = try rule.translate(renamed, from: 2, to: 1, agreed: (v2, v1))
        #expect(down.string == v1.string.replacing("Art", with: "Music"))
    }

    @Test("todo's flags are written back as the app writes them")
    func todoFlags() throws {
        let rule = try Fixture.todo.rule()
        let v1 = try JSON(Fixture.todo.v1)
        let v2 = try JSON(Fixture.todo.v2)
        let edited = try JSON(
            Fixture.todo.v2.replacing("\"isCompleted\":false", with: "\"isCompleted\":true")
                .replacing("\"showPriority\":true", with: "\"showPriority\":false")
        )
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1)).string
                == Fixture.todo.v1.replacing("\"isCompleted\":false", with: "\"isCompleted\":true")
                .replacing("\"showPriority\":1", with: "\"showPriority\":0")
        )
    }

    @Test("a version 2 edit of finance reaches version 1 with every digit")
    func financeDigits() throws {
        let rule = try Fixture.finance.rule()
        let v1 = try JSON(Fixture.finance.v1)
        let v2 = try JSON(Fixture.finance.v2)
        let edited = try JSON(
            Fixture.finance.v2.replacing("2026-01-18T14:30:00.1229999Z", with: "2026-01-18T15:30:00+01:00")
                .replacing("12345678901234567.89", with: "12345678901234567.90")
        )
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1)).string
                == Fixture.finance.v1.replacing("790439400.1229999", with: "790439400")
                .replacing("12345678901234567.89", with: "12345678901234567.90")
        )
    }

    @Test("values that version 1 cannot represent are reported")
    func namesLosses() throws {
        let v2 = try JSON(
            #"{"version":2,"data":{"totalAmount":7,"expenseCount":0,"hasError":false,"spent":1,"#
                + #""lastUpdated":"2026-01-18T14:30:00.123456Z"},"extra":1}"#
        )
        let migration = try Budget.rule().migration(of: v2, from: 2, to: 1)
        #expect(
            migration.losses.map { "\($0.pointer) \($0.reason.text)" } == [
                "/extra cannot be represented in the other version",
                "/data/totalAmount comes back as another value",
            ]
        )
        #expect(
            migration.lenses.map(\.words) == [
                "take back: wrap in `data`", "take back: add `hasError`: false",
                "take back: add `expenseCount`: 0", "take back: add `totalAmount`: a copy of `spent`",
                "take back: convert `lastUpdated` from iso8601, local, milliseconds, millisecondsText "
                    + "to iso8601",
            ]
        )
        #expect(migration.lenses.map(\.effect) == [.changes, .removes, .removes, .removes, .changes])
    }

    /// The document with one digit changed, if it is still valid in its version.
    private func edited(_ document: JSON, version: Int, _ rule: DocumentRule, _ random: inout Seeded) -> JSON?
    {
        var bytes = document.bytes
        let digits = bytes.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
        guard !digits.isEmpty else { return nil }
        bytes[random.pick(digits)] = UInt8(ascii: "1") + UInt8(random.below(9))
        guard let new = try? JSON(parsing: bytes), rule.version(of: new) == .known(version),
            rule.violations(of: new, version: version).isEmpty, new.warnings.isEmpty,
            // A time beyond the year 9999 cannot be represented in the other version.
            (try? rule.translate(new, from: version, to: 3 - version, agreed: nil)) != nil
        else { return nil }
        return new
    }

    @Test("successive edits on both sides never undo each other", arguments: Fixture.all)
    func survivesEdits(fixture: Fixture) throws {
        let rule = try fixture.rule()
        var agreed = (v1: try JSON(fixture.v1), v2: try JSON(fixture.v2))
        var random = Seeded(UInt64(fixture.v1.utf8.count))
        var edits = 0
        for _ in 0..<120 {
            if random.chance(50), let new = edited(agreed.v1, version: 1, rule, &random) {
                let up = try rule.translate(new, from: 1, to: 2, agreed: (agreed.v1, agreed.v2))
                #expect(rule.version(of: up) == .known(2))
                let back = try rule.translate(up, from: 2, to: 1, agreed: (agreed.v2, agreed.v1))
                #expect(back.isEqual(to: new), "\(new.string): \(back.string)")
                agreed = (new, up)
                edits += 1
            } else if let new = edited(agreed.v2, version: 2, rule, &random) {
                let down = try rule.translate(new, from: 2, to: 1, agreed: (agreed.v2, agreed.v1))
                // The other side does nothing, so the values that it cannot represent stay.
                #expect(try rule.translate(down, from: 1, to: 2, agreed: (down, new)).bytes == new.bytes)
                agreed = (down, new)
                edits += 1
            }
        }
        #expect(edits > 20)
    }
}
