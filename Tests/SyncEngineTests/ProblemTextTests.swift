import Documents
import SyncEngine
import Testing

@Suite("The text of a problem")
struct ProblemTextTests {
    private static let place = JSONPosition(line: 3, column: 5, offset: 40)

    private static let texts: [(Problem, String)] = [
        (
            .notJSON(.unexpected(place, expected: "a value", found: .end)),
            "not JSON: 3:5: expected a value, found the end of the text"
        ),
        (
            .unknownVersion(.noField(key: "version")),
            "its version cannot be determined: it has no `version`, the field that holds its version"
        ),
        (
            .untranslatable(.unknownVersion(4)),
            "cannot be represented in the other version: the profile has no version 4 of it"
        ),
        (
            .untranslatableBase(.tooLarge(bytes: 9, limit: 8)),
            "cannot be represented in the other version: its base is unreadable: "
                + "9 bytes are more than the limit of 8"
        ),
    ]

    @Test("contains the finding", arguments: texts)
    func tells(problem: Problem, text: String) {
        #expect(problem.text == text)
    }

    @Test("contains the first pointer that violates a schema")
    func tellsViolations() throws {
        let schema = try Schema(JSON(parsing: Array(#"{"maxProperties":0}"#.utf8)))
        let document = try JSON(parsing: Array(#"{"a":1}"#.utf8))
        let violation = try #require(schema.violations(of: document).first)
        let said = violation.text
        #expect(said.hasPrefix("1:1: the document ") && said.hasSuffix(" (/maxProperties)"))
        #expect(
            Problem.unknownVersion(.undecided(violation)).text == "its version cannot be determined: \(said)"
        )
        #expect(Problem.invalid(violation).text == "violates its schema at \(said)")
        #expect(
            Problem.unfit(version: 2, violation).text
                == "in version 2 it would violate its schema at \(said)"
        )
    }

    @Test("is of one kind, whatever cannot be translated")
    func kinds() {
        #expect(Problem.untranslatable(.noTimeZone("/at")).kind == .untranslatable)
        #expect(Problem.untranslatableBase(.byteOrderMark).kind == .untranslatable)
    }
}
