import Documents
import TestDocuments
import Testing

@Suite("Budget, version 1 and version 2")
struct BudgetTests {
    private func up(_ new: String, agreed: (v1: String, v2: String)? = nil) throws -> String {
        let agreed = try agreed.map { try (from: JSON($0.v1), to: JSON($0.v2)) }
        return try Budget.rule().translate(JSON(new), from: 1, to: 2, agreed: agreed).string
    }

    private func down(_ new: String, agreed: (v1: String, v2: String)? = nil) throws -> String {
        let agreed = try agreed.map { try (from: JSON($0.v2), to: JSON($0.v1)) }
        return try Budget.rule().translate(JSON(new), from: 2, to: 1, agreed: agreed).string
    }

    @Test("version 1 becomes version 2 with the document's formatting")
    func upgrades() throws {
        #expect(try up(Budget.v1) == Budget.v2)
        #expect(
            try up(#"{"spent":1,"limit":2}"#)
                == #"{"version":2,"data":{"totalAmount":1,"expenseCount":0,"hasError":false,"#
                + #""spent":1,"limit":2}}"#
        )
        #expect(
            try up(#"{"spent": 1, "limit": 2}"#)
                == #"{"version": 2, "data": {"totalAmount": 1, "expenseCount": 0, "hasError": false, "#
                + #""spent": 1, "limit": 2}}"#
        )
        #expect(try up("{}") == #"{"version":2,"data":{"expenseCount":0,"hasError":false}}"#)
    }

    @Test("version 2 becomes version 1 with the document's formatting")
    func downgrades() throws {
        #expect(try down(Budget.v2) == Budget.v1)
    }

    @Test("migrating there and back gives the same bytes, in both directions")
    func roundTrips() throws {
        let v2 = try up(Budget.v1)
        #expect(try down(v2, agreed: (Budget.v1, v2)) == Budget.v1)
        let odd =
            #"{"n":[1.0],"data":{"expenseCount":3,"spent":1,"totalAmount":7, "hasError":true},"version":2 }"#
        let v1 = try down(odd)
        #expect(v1 == #"{"spent":1}"#)
        #expect(try up(v1, agreed: (v1, odd)) == odd)
    }

    @Test("an edit in version 1 changes only that value in version 2")
    func carriesEditsUp() throws {
        let v1 = #"{"spent":450.50,"limit":800,"x":[1]}"#
        let v2 =
            #"{"data":{"limit":8E2, "spent":450.5,"totalAmount":450.5,"x":[1]},"version":2,"w":0}"#
        func edited(_ new: String) throws -> String { try up(new, agreed: (v1, v2)) }
        // The total did not follow the spending before, and does not now.
        #expect(try edited(v1.replacing("450.50", with: "460.00")) == v2.replacing("450.5", with: "460.00"))
        #expect(try edited(v1.replacing("800", with: "900")) == v2.replacing("8E2", with: "900"))
        // A value that is equal is no edit.
        #expect(try edited(v1.replacing("800", with: "800.0")) == v2)
        // One field is added, another removed.
        #expect(
            try edited(#"{"spent":450.50,"limit":800,"y":null}"#)
                == v2.replacing(#","x":[1]"#, with: "").replacing("8E2,", with: #"8E2, "y":null,"#)
        )
    }

    @Test("a total that did not match the spending is left unchanged")
    func keepsOwnTotal() throws {
        let v1 = #"{"spent":450}"#
        let v2 = #"{"version":2,"data":{"totalAmount":700,"spent":450}}"#
        #expect(
            try up(#"{"spent":500}"#, agreed: (v1, v2))
                == #"{"version":2,"data":{"totalAmount":700,"spent":500}}"#
        )
    }

    @Test("an edit in version 2 changes only that value in version 1")
    func carriesEditsDown() throws {
        let v1 = "{ \"limit\":800.00, \"spent\":450.50, \"version\": 1, \"x\":true }"
        let v2 = try up(v1)
        func edited(_ new: String) throws -> String { try down(new, agreed: (v1, v2)) }
        #expect(try edited(v2.replacing("800.00", with: "900")) == v1.replacing("800.00", with: "900"))
        // Version 1 cannot represent these.
        #expect(try edited(v2.replacing("\"expenseCount\":0", with: "\"expenseCount\":9")) == v1)
        #expect(try edited(v2.replacing("\"version\":2", with: "\"w\":1,\"version\":2")) == v1)
        #expect(try edited(v2.replacing("true", with: "false")) == v1.replacing("true", with: "false"))
    }

    @Test("unknown fields survive both directions")
    func keepsUnknownFields() throws {
        let v1 = #"{"spent":1,"future":{"a":[1e400,"\ud800"]},"limit":2}"#
        let v2 = try up(v1)
        #expect(v2.contains(#","future":{"a":[1e400,"\ud800"]},"limit":2}}"#))
        #expect(try down(v2) == v1)
    }

    @Test("any edit survives the migration up and down again", arguments: [1, 2])
    func carriesAnyEdit(from: Int) throws {
        let rule = try Budget.rule()
        let to = 3 - from
        for seed in 0..<150 as Range<UInt64> {
            var generator = TextGenerator(seed: seed, isTame: true)
            let texts = (0..<2).map { _ in
                let flat = "{\"spent\":\(generator.number()),\"o\":\(generator.object(depth: 2))}"
                return from == 1 ? flat : "{\"version\":2,\"data\":\(flat)}"
            }
            let old = try JSON(texts[0])
            let new = try JSON(texts[1])
            let oldThere = try rule.translate(old, from: from, to: to, agreed: nil)
            let newThere = try rule.translate(new, from: from, to: to, agreed: (old, oldThere))
            let back = try rule.translate(newThere, from: to, to: from, agreed: (oldThere, old))
            #expect(back.isEqual(to: new), "\(old.string) → \(new.string): \(back.string)")
            #expect(
                try rule.translate(newThere, from: to, to: from, agreed: (newThere, new)).bytes == new.bytes
            )
        }
    }

    @Test(
        "the version is read from its field",
        arguments: [
            ("{}", .known(1)), (#"{"version":1}"#, .known(1)), (#"{"version":2,"data":{}}"#, .known(2)),
            (#"{"version":3}"#, .newer(3)), (#"{"version":99999999999999999999}"#, .newer(.max)),
        ] as [(String, VersionReading)]
    )
    func readsVersions(text: String, reading: VersionReading) throws {
        #expect(try Budget.rule().version(of: JSON(text)) == reading)
    }

    @Test(
        "a version too large for an Int is newer than any other",
        arguments: [(3, "version 3"), (.max, "version 9223372036854775807 or above")] as [(Int, String)]
    )
    func saysVersions(number: Int, words: String) {
        #expect(versionWords(number) == words)
    }

    private static let place = JSONPosition(line: 1, column: 12, offset: 11)

    @Test(
        "an unreadable version is a fault with its position",
        arguments: [
            (
                #"{"version":"2"}"#, .notANumber(place, key: "version", found: "a string"),
                "1:12: `version` is a string, not a version"
            ),
            (
                #"{"version":-1}"#, .unlisted(place, key: "version", value: "-1", known: [1, 2]),
                "1:12: `version` is -1, a version that the profile does not know; it knows 1, 2"
            ),
            (
                #"{"version":1e2}"#, .notWhole(place, key: "version", value: "1e2"),
                "1:12: `version` is 1e2, not a whole number"
            ),
            (
                #"{"version":2.0}"#, .notWhole(place, key: "version", value: "2.0"),
                "1:12: `version` is 2.0, not a whole number"
            ),
            (
                #"{"version":null}"#, .notANumber(place, key: "version", found: "`null`"),
                "1:12: `version` is `null`, not a version"
            ),
            (
                #"{"version":0}"#, .unlisted(place, key: "version", value: "0", known: [1, 2]),
                "1:12: `version` is 0, a version that the profile does not know; it knows 1, 2"
            ),
            (
                #"{"version":1,"version":2}"#, .fieldTwice(place, key: "version"),
                "1:12: duplicate key `version`"
            ),
        ] as [(String, VersionFault, String)]
    )
    func tellsVersionFaults(text: String, fault: VersionFault, words: String) throws {
        #expect(try Budget.rule().version(of: JSON(text)) == .unreadable(fault))
        #expect(fault.reason == words)
    }

    @Test("a schema violation is reported with its position")
    func tellsWrongShapes() throws {
        #expect {
            try down("{\"version\":2,\n \"totalAmount\":1}")
        } throws: {
            ($0 as? DocumentError)?.reason == "expected an object with `data` at ``, found an object"
        }
        #expect { try down("{\"version\":2,\"data\":[]}") } throws: {
            ($0 as? DocumentError)?.reason == "1:21: expected an object at ``, found an array"
        }
        #expect { try up("[]") } throws: {
            ($0 as? DocumentError)?.reason == "1:1: expected an object at ``, found an array"
        }
        #expect(throws: DocumentError.unknownVersion(3)) {
            try Budget.rule().translate(JSON("{}"), from: 3, to: 1, agreed: nil)
        }
    }

    @Test("the widget is notified only of changes to what it shows")
    func tellsKinds() throws {
        let rule = try Budget.rule()
        let old = try JSON(Budget.v2)
        func changed(_ text: String, _ other: String) throws -> [String] {
            try rule.kinds(changedBetween: old, and: JSON(Budget.v2.replacing(text, with: other)))
        }
        #expect(try changed("\"limit\": 800.00", "\"limit\": 900") == ["BudgetWidget"])
        #expect(try changed("\"groupName\": \"Famiglia Rossi\"", "\"x\": 1") == ["BudgetWidget"])
        #expect(try changed("\"limit\": 800.00", "\"limit\": 8e2") == [])
        #expect(try changed("\"expenseCount\": 0", "\"expenseCount\": 7") == [])
        #expect(rule.kinds(changedBetween: nil, and: old) == ["BudgetWidget"])
        #expect(rule.kinds(changedBetween: old, and: nil) == ["BudgetWidget"])
        #expect(rule.kinds(changedBetween: nil, and: nil) == [])
    }
}
