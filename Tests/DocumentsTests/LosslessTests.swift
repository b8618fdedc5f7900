import Documents
import Testing

/// LOSSLESS is a promise: the result alone, without the original or a base, can be migrated back, and gives
/// an equal value.
@Suite struct LosslessTests {
    /// Version marks, and how a document of version 1 and one of version 2 say theirs.
    private static let marks: [(mark: String, v1: [String], v2: [String])] = [
        ("{field: version, missing: 1}", [#""version":1"#, ""], [#""version":2"#]),
        ("{field: version, missing: 2}", [#""version":1"#], [#""version":2"#, ""]),
        ("{field: version}", [#""version":1"#], [#""version":2"#]),
    ]

    @Test func `The way back from a lossless result alone gives an equal value`() throws {
        var lossless = 0
        for seed in 0..<1500 as Range<UInt64> {
            var drawn = DrawnLenses(seed: seed)
            let (mark, first, second) = drawn.random.pick(Self.marks)
            guard let rule = try? LensGenerator.rule([drawn.list()], version: mark) else { continue }
            for (from, versions) in [(1, first), (2, second)] {
                let members = [drawn.random.pick(versions)] + drawn.members()
                let text = "{\(members.filter { !$0.isEmpty }.joined(separator: ","))}"
                let document = try JSON(text)
                let to = 3 - from
                let there = rule.migration(of: document, to: to)
                guard there.verdict == .lossless, let result = there.result else { continue }
                lossless += 1
                let back = rule.migration(of: try JSON(result.string), to: from)
                #expect(
                    back.result?.isEqual(to: document) == true,
                    "seed \(seed): \(text) \(rule.lensTexts(to: 2)) \(result.string) \(back.verdict)"
                )
                guard case .same = rule.check(migrationOf: document, to: to) else {
                    Issue.record("seed \(seed): \(text) \(rule.check(migrationOf: document, to: to))")
                    continue
                }
            }
        }
        #expect(lossless > 500)
    }

    /// Each of these was once called lossless, because the original was at hand.
    @Test(arguments: [
        ("{default: {field: dark, value: false}}", #"{"dark":false}"#, ["/dark gone"]),
        ("{move: {from: /g, to: /h/g}}", #"{"g":1,"h":{}}"#, ["/h gone"]),
        (
            "{convert: {field: m, from: [milliseconds, iso8601], to: seconds2001}}",
            #"{"m":"2026-01-18T15:30:00+01:00"}"#, ["/m changed"]
        ),
        ("{convert: {field: f, from: [0/1, boolean], to: boolean}}", #"{"f":true}"#, ["/f changed"]),
        ("{rename: {from: a, to: b}}", #"{"version":1,"a":1}"#, ["/version gone"]),
    ])
    func `What only the original could restore is a loss`(
        _ lens: String,
        _ text: String,
        _ losses: [String]
    ) throws {
        let rule = try LensGenerator.rule([[lens]])
        let document = try JSON(text)
        guard case .lossy(let found) = rule.migration(of: document).verdict else {
            Issue.record("\(rule.migration(of: document).verdict)")
            return
        }
        #expect(found.map { "\($0.pointer) \($0.reason)" } == losses)
        #expect(rule.check(migrationOf: document) == .lossy(found))
    }

    @Test func `A result that the way back refuses is a loss of the whole document`() throws {
        let rule = try LensGenerator.rule([[#"{split: {field: a, into: [x, y], by: " "}}"#]])
        let document = try JSON(#"{"x":1}"#)
        guard case .lossy(let losses) = rule.migration(of: document).verdict, let loss = losses.first else {
            Issue.record("\(rule.migration(of: document).verdict)")
            return
        }
        #expect(loss.pointer.isEmpty && losses.count == 1)
        #expect(
            loss.reason.text.hasPrefix("the result cannot be migrated back: expected a string at `/x`"),
            "\(loss.reason.text)"
        )
    }
}
