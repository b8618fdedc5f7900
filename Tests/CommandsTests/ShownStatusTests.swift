import BridgeRuntime
import Model
import Testing

@testable import Commands

@Suite struct ShownStatusTests {
    /// A status with this many documents, the held ones first.
    private func status(held: Int, synced: Int) -> BridgeStatus {
        let lost = (0..<held).map { number in
            BridgeStatus.Document(
                name: "h\(10_000 + number).json",
                state: .held,
                side: .app,
                reason: .reported("missing")
            )
        }
        let rest = (0..<synced).map { number in
            BridgeStatus.Document(name: "s\(10_000 + number).json", state: .synced)
        }
        return BridgeStatus(
            state: .running,
            reason: nil,
            watch: .inotify,
            commit: "exchange",
            durability: "batch",
            counters: BridgeStatus.Counters(),
            app: "/app",
            group: "/group",
            stateDirectory: "/state",
            process: nil,
            instance: "i1",
            documents: lost + rest
        )
    }

    private func text(_ shown: ShownStatus) -> String {
        TextPrinter().text(.status([Report.Of(value: shown)]))
    }

    private static let heldHint =
        "what is held can be saved again, written whole with `put`, or taken back with `undo`: "
        + "`widgetbridge history` lists earlier contents\n"

    private func selection(_ states: [BridgeStatus.Document.State]) -> DocumentSelection {
        DocumentSelection(page: DocumentPage.Request(states: states))
    }

    @Test func `Thousands of documents are printed in a few dozen lines, and the others are counted`() throws
    {
        let text = text(try ShownStatus(status(held: 2_000, synced: 5)))
        let lines = text.split(separator: "\n")
        #expect(lines.count < 50)
        #expect(
            lines.dropLast(2).last
                == "… and 1,985 more; `widgetbridge status --only held --only synced` lists them"
        )
        #expect(lines.dropLast().last == "2,005 documents: 5 synced, 2,000 held")
        #expect("\(lines.last ?? "")\n" == Self.heldHint)
    }

    @Test func `Requested documents are all listed`() throws {
        let shown = try ShownStatus(status(held: 100, synced: 5), selection([.held]))
        let text = text(shown)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("h1") } == 100)
        #expect(text.hasSuffix("\n100 of 105 documents: 100 held\n\(Self.heldHint)"))
        #expect(!text.contains("more"))
        #expect(shown.exitStatus == .needsDecision)
        let synced = try ShownStatus(status(held: 100, synced: 5), selection([.synced]))
        #expect(synced.exitStatus == .done)
    }

    /// A name that is no path stands behind the others in a status, and two names may differ only in their
    /// bytes.
    @Test func `No page leaves out a document for its name`() throws {
        var all = status(held: 0, synced: 0)
        let names = ["é.json", "z.json", "e\u{301}.json", "a\\xff.json"]
        all.documents = names.map { BridgeStatus.Document(name: $0, state: .synced) }
        var selection = DocumentSelection(page: DocumentPage.Request(limit: 1))
        var found: [[UInt8]] = []
        repeat {
            let shown = try ShownStatus(all, selection)
            found += shown.page.map { Array($0.name.utf8) }
            selection.page.after = shown.next
        } while selection.page.after != nil
        #expect(found == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `Pages follow each other, with each document on exactly one`() throws {
        let all = status(held: 3, synced: 4)
        var selection = DocumentSelection(page: DocumentPage.Request(limit: 3))
        var names: [String] = []
        while true {
            let page = try ShownStatus(all, selection)
            names += page.page.map(\.name)
            let more = text(page).contains("shows the next page")
            #expect(more == (page.next != nil))
            guard let next = page.next else { break }
            selection.page.after = next
        }
        #expect(names == all.documents.map(\.name))
        let json = JSONPrinter().text(.status([Report.Of(value: try ShownStatus(all, selection))]))
        #expect(json.hasSuffix(#","next":null}"# + "\n"))
    }

    @Test func `A document that does not exist is not an empty list`() throws {
        let name = try #require(RelativePath("h1000.json"))
        #expect(throws: UnknownDocument.self) {
            try ShownStatus(status(held: 1, synced: 0), DocumentSelection(names: [name]))
        }
    }

    @Test func `Piped output is not truncated, and terminal output fits`() throws {
        var long = status(held: 0, synced: 1)
        long.documents[0].name = String(repeating: "long/", count: 40) + "a.json"
        let shown = try ShownStatus(long)
        #expect(text(shown).contains(long.documents[0].name))
        let fitting = TextPrinter(columns: 60).text(.status([Report.Of(value: shown)]))
        let table = fitting.split(separator: "\n").filter { $0.contains("…") }
        #expect(table.count == 1 && table.allSatisfy { $0.count <= 60 })
    }
}

@Suite struct EscapingTests {
    @Test(arguments: [
        ("a\u{202E}b", "a\\u{202e}b"), ("\u{61C}", "\\u{61c}"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
        ("\u{200E}\u{200F}", "\\u{200e}\\u{200f}"), ("\u{9B}31m", "\\u{9b}31m"), ("\u{1B}", "\\u{1b}"),
        ("a\nb", "a\\u{a}b"), ("a\u{2028}", "a\\u{2028}"), ("naïve – …€ ؀ 日本", "naïve – …€ ؀ 日本"),
    ])
    func `Control characters and bidirectional overrides are escaped`(
        _ text: String,
        _ shown: String
    ) {
        #expect(text.withoutControls == shown)
    }

    @Test func `A name with a bidirectional override can be pasted`() {
        #expect("a\u{202E}b".quotedForShell == #"$'a\342\200\256b'"#)
    }
}

@Suite struct TimeBoundTests {
    @Test(arguments: [
        ("1970-01-02T00:00:00Z", 86_400_000), ("1970-01-02 01:00:00.5+01:00", 86_400_500),
        ("2h", 1_000_000_000 - 7_200_000), ("1d", 1_000_000_000 - 86_400_000), ("0s", 1_000_000_000),
    ])
    func `A time is absolute or relative`(_ text: String, _ milliseconds: Int64) {
        #expect(TimeBound(argument: text, now: 1_000_000_000)?.milliseconds == milliseconds)
    }

    @Test(arguments: ["", "d", "-1d", "yesterday", "1970-01-02", "99999999d", "1970-01-02T00:00:00"])
    func `Anything else is refused`(_ text: String) {
        #expect(TimeBound(argument: text, now: 0) == nil)
    }
}
