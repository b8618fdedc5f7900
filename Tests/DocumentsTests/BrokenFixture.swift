import Documents
import TestDocuments
import Testing

/// Documents that the apps were observed to write, or that are partly wrong, with the expected result.
struct BrokenFixture: Sendable, CustomTestStringConvertible {
    var profile: String
    var text: String
    var version: VersionReading = .known(1)
    /// The first violation of the schema; `nil` if the document is valid.
    var violation: String?

    var testDescription: String { "\(profile): \(violation ?? "\(version)")" }

    static let all = [
        // Budget: a limit below 0, an invalid month, amounts as text.
        BrokenFixture(profile: "budget", text: budget("800.00", "-1"), violation: "/limit is -1, below 0"),
        BrokenFixture(
            profile: "budget",
            text: budget("800.00", "\"800\""),
            violation: "/limit is a string, expected `number`"
        ),
        BrokenFixture(
            profile: "budget",
            text: budget("450.50", "-1"),
            violation: "/spent is -1, below 0"
        ),
        BrokenFixture(
            profile: "budget",
            text: budget("Gennaio 2026", "01/2026"),
            violation: #"/month does not match the pattern `^\S+ \d{4}$`"#
        ),
        BrokenFixture(
            profile: "budget",
            text: budget("123e4567-e89b-12d3-a456-426614174000", "uuid"),
            violation: "/groupId is not a valid uuid"
        ),
        BrokenFixture(
            profile: "budget",
            text: budget("\"€\"", "\"Euro\""),
            violation: "/currency has 4 characters, more than 3"
        ),
        BrokenFixture(
            profile: "budget",
            text: budget("2026-01-18T14:30:00.000Z", "Invalid Date"),
            violation: "/lastUpdated matches none of the alternatives"
        ),
        // Its parts read a missing value and null alike.
        BrokenFixture(profile: "budget", text: budget("\"€\"", "null")),
        BrokenFixture(
            profile: "budget",
            text: nulls,
            version: .known(2)
        ),
        BrokenFixture(profile: "budget", text: "{}", violation: " has no `spent`"),
        BrokenFixture(profile: "budget", text: "[]", violation: " is an array, expected `object`"),
        BrokenFixture(
            profile: "budget",
            text: #"{"version":2,"spent":1}"#,
            version: .known(2),
            violation: " has no `data`"
        ),
        BrokenFixture(profile: "budget", text: #"{"version":3,"payload":{}}"#, version: .newer(3)),
        // Habits: an empty store fits both versions; a store of tables without values.
        BrokenFixture(profile: "habits", text: "[{},{}]", version: .known(2)),
        BrokenFixture(
            profile: "habits",
            text: "[{}]",
            version: .known(2),
            violation: " has 1 elements, not 2"
        ),
        BrokenFixture(
            profile: "habits",
            text: #"[{"habits":{"h":{"id":"h","title":""}}},{}]"#,
            violation: "/0/habits/h/title has 0 characters, not 1"
        ),
        BrokenFixture(
            profile: "habits",
            text: #"[{"habits":{"h":{"id":"h","title":"x","order":0,"weeklyTarget":8}}},{}]"#,
            version: .known(2),
            violation: "/0/habits/h/weeklyTarget is 8, above 7"
        ),
        // Todo: an invalid flag.
        BrokenFixture(
            profile: "todo",
            text: Fixture.todo.v1.replacing("\"showCompleted\":1", with: "\"showCompleted\":2"),
            violation: "/config/showCompleted is not one of `0`, `1`, `true`, `false`"
        ),
        BrokenFixture(
            profile: "todo",
            text: Fixture.todo.v1.replacing("4294198070", with: "-769226"),
            violation: "/tasks/0/priorityColor is -769226, below 0"
        ),
        BrokenFixture(
            profile: "todo",
            text: Fixture.todo.v1.replacing("\"updatedAt\":", with: "\"updatedAt\":10000000"),
            violation: "/updatedAt is 100000001768746600123, above 9223372036854775807"
        ),
        // Balances: the time is any text.
        BrokenFixture(
            profile: "balances",
            text: Fixture.balances.v1.replacing("2026-01-18T14:30:00Z", with: "yesterday")
        ),
        // Finance: an invalid time; balances: a total that is not a number.
        BrokenFixture(
            profile: "finance",
            text: Fixture.finance.v2.replacing("2026-01-18T14:30:00.1229999Z", with: "yesterday"),
            version: .known(2),
            violation: "/lastUpdated is not a valid date-time"
        ),
        BrokenFixture(profile: "finance", text: "{}", violation: " has no `lastUpdated`"),
        BrokenFixture(
            profile: "balances",
            text: Fixture.balances.v1.replacing("1000.00\"", with: "NaN\"", maxReplacements: 1),
            violation: #"/totalsByCurrency/0/total does not match the pattern `^-?\d+(\.\d+)?$`"#
        ),
    ]

    private static let nulls = Budget.v2.replacing("\"expenseCount\": 0", with: "\"expenseCount\": null")
        .replacing("\"hasError\": false", with: "\"hasError\": null")

    private static func budget(_ old: String, _ new: String) -> String {
        Budget.v1.replacing(old, with: new, maxReplacements: 1)
    }
}
