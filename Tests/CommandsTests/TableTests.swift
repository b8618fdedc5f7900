import Testing

@testable import Commands

/// Tables on terminals of any width.
@Suite struct TableTests {
    private static let head = ["KIND", "RELOADS", "WHAT WIDGETS SHOW"]
    private static let rows = [
        ["Budget", "12", "the numbers of this month, and how old they are"], ["Habits", "3", "today"],
    ]

    private func table(_ columns: Int?) -> [String] {
        Layout(columns: columns).table(Self.head, Self.rows) { "<\($0)>" }
    }

    @Test func `A table that fits has one line for each row`() {
        let whole = [
            "<KIND    RELOADS  WHAT WIDGETS SHOW>",
            "Budget  12       the numbers of this month, and how old they are",
            "Habits  3        today",
        ]
        #expect(table(nil) == whole)
        #expect(table(64) == whole)
    }

    @Test func `The cell that does not fit goes on below itself, and the other columns stay`() {
        #expect(
            table(40) == [
                "<KIND    RELOADS  WHAT WIDGETS SHOW>", "Budget  12       the numbers of this",
                "                 month, and how old they",
                "                 are", "Habits  3        today",
            ]
        )
        for columns in 24...80 {
            #expect(table(columns).allSatisfy { $0.displayWidth <= columns + 2 }, "\(columns)")
        }
    }

    @Test func `Where not even the words fit each row stands alone`() {
        let lines = table(20)
        #expect(lines.contains("Budget  12  the") && lines.allSatisfy { $0.displayWidth <= 22 }, "\(lines)")
    }

    @Test func `Columns without anything are left out only where the others would not fit`() {
        func lines(_ columns: Int) -> [String] {
            Layout(columns: columns).table(
                ["KIND", "COALESCED", "INVISIBLE"],
                [["Budget", "0", "7"], ["Habits", "0", "0"]],
                idle: ["0", "-"]
            ) { $0 }
        }
        #expect(lines(30).first == "KIND    COALESCED  INVISIBLE")
        #expect(lines(20) == ["KIND    INVISIBLE", "Budget  7", "Habits  0"])
        #expect(lines(12).contains("Budget  0  7"), "\(lines(12))")
    }

    @Test func `The tables of the program keep their columns at 80`() async {
        let profiles = await run(["profile", "list"], columns: 80)
        let lines = profiles.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("PROFILE ") == true && lines.first?.contains("KINDS") == true)
        #expect(lines.allSatisfy { String($0).displayWidth <= 80 }, "\(profiles.output)")
    }
}
