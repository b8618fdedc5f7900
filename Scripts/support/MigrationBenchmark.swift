// Times the planning of a migration, and merges of three sizes, in memory and on one core.
// Compiled by `Scripts/bench` together with the files of `Sources/Documents` that read no YAML, into one module.
import Foundation

@main
struct MigrationBenchmark {
    static func main() throws {
        try plan()
        try merge()
    }

    // MARK: Planning

    private static let documents = 10_000

    /// Ten thousand budget documents of version 1, each planned as `migrate plan` does: what it becomes, and what
    /// of it would be lost. The patch that is shown is made only where somebody looks at it.
    private static func plan() throws {
        let rule = try budget()
        var rates: [Double] = []
        for _ in 0..<5 {
            let before = processorTime()
            for number in 0..<documents {
                let plan = rule.migration(of: try JSON(parsing: budgetDocument(number)))
                guard case .lossless = plan.verdict, let result = plan.result else { fatalError("\(plan)") }
                keep(result)
            }
            rates.append(Double(documents) / (processorTime() - before))
            if rates.count == 1 { print("plan_peak_first \(peakKilobytes())") }
        }
        print("plan_per_second \(Int(median(rates)))\nplan_peak_last \(peakKilobytes())")
    }

    private static func budgetDocument(_ number: Int) -> [UInt8] {
        let text = """
            {"spent":\(number).50,"limit":800.00,"month":"Gennaio 2026","currency":"€","percentage":56.31,\
            "isDarkMode":false,"lastUpdated":"2026-01-18T14:30:00.000Z",\
            "groupId":"123e4567-e89b-12d3-a456-426614174000","groupName":"Famiglia Rossi"}
            """
        return Array(text.utf8)
    }

    /// Close to the built-in profile, which is written in YAML.
    private static func budget() throws -> DocumentRule {
        var rule = DocumentRule.plain(path: "budget.json")
        rule.versionMark = .field(bytes("version"), missing: 1)
        rule.zone = TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        let lenses: [any Lens] = [
            ConvertLens(
                key: bytes("lastUpdated"),
                conversion: .time(from: [.iso8601, .local, .milliseconds, .millisecondsText], to: .iso8601)
            ),
            AddLens(key: bytes("totalAmount"), content: .copy(of: bytes("spent")), order: .first),
            AddLens(
                key: bytes("expenseCount"),
                content: .constant(bytes("0")),
                order: .after(bytes("totalAmount"))
            ),
            AddLens(
                key: bytes("hasError"),
                content: .constant(bytes("false")),
                order: .after(bytes("expenseCount"))
            ),
            WrapLens(key: bytes("data")),
        ]
        rule.versions = [
            VersionRule(number: 1, schema: try schema(#"{"type":"object","#, added: "", "")),
            VersionRule(
                number: 2,
                schema: try schema(
                    #"{"type":"object","required":["version","data"],"properties":{"version":{"const":2},"data":{"#,
                    added: #""totalAmount":{"type":"number"},"expenseCount":{"type":"integer"},"#,
                    "}}"
                ),
                lenses: lenses
            ),
        ]
        return rule
    }

    private static func schema(_ start: String, added: String, _ end: String) throws -> Schema {
        let text = """
            \(start)"properties":{\(added)"version":{"const":1},"spent":{"type":"number","minimum":0},
            "limit":{"type":"number","minimum":0},"month":{"type":"string"},"currency":{"type":"string","maxLength":3},
            "percentage":{"type":"number","minimum":0},"isDarkMode":{"type":"boolean"},"hasError":{"type":"boolean"},
            "lastUpdated":{"type":["string","integer"],"anyOf":[{"type":"string","format":"date-time"},
            {"type":"string","pattern":"^\\\\d+$"},{"type":"integer","minimum":0}]},
            "groupId":{"type":"string"},"groupName":{"type":["string","null"]}},
            "required":["spent","limit","month","isDarkMode","lastUpdated","groupId"],
            "if":{"properties":{"hasError":{"const":true}},"required":["hasError"]},
            "else":{"properties":{"limit":{"exclusiveMinimum":0},"month":{"pattern":"^\\\\S+ \\\\d{4}$"},
            "groupId":{"format":"uuid"}}}}\(end)
            """
        return try Schema(JSON(parsing: bytes(text)))
    }

    // MARK: Merging

    /// Two documents with a hundred edits each, all of them read first.
    private static func merge() throws {
        for (name, size) in [("small", 100_000), ("middle", 1_000_000), ("large", 8_000_000)] {
            let count = size / 125
            let base = try list(count) { _ in nil }
            let app = try list(count) { $0 % (count / 100) == 0 ? "app" : nil }
            let group = try list(count) { $0 % (count / 100) == 1 ? "group" : nil }
            let rule = DocumentRule.plain(path: "list.json")
            var times: [Double] = []
            for _ in 0..<5 {
                let before = processorTime()
                let merged = try rule.merge(base: base, app: app, group: group)
                times.append((processorTime() - before) * 1000)
                precondition(merged.conflicts.isEmpty && merged.result.bytes.count > base.bytes.count)
            }
            print("merge_\(name) \(median(times))\nmerge_\(name)_bytes \(base.bytes.count)")
        }
    }

    private static func list(_ count: Int, _ note: (Int) -> String?) throws -> JSON {
        let items = (0..<count).map { number in
            #"{"id":"item-\#(number)","title":"Spesa n. \#(number)","amount":\#(number).50,"isPaid":false,"#
                + #""category":{"name":"Casa"},"note":"\#(note(number) ?? "-")"}"#
        }
        return try JSON(parsing: bytes("[\(items.joined(separator: ","))]"))
    }

    // MARK: What is used for it

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Seconds that a processor was busy with this process.
    private static func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    /// The most memory that this process has had.
    private static func peakKilobytes() -> Int {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    /// So that no optimizer can see that the value is not needed.
    @inline(never)
    @_optimize(none)
    private static func keep(_ value: some Any) {}

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
