import BridgeRuntime
import Documents
import Model
import StateStore

/// The agent's counters in Prometheus' text format 0.0.4.
struct Metrics {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""
    /// The label of a bridge is the real path of its state directory, which no two bridges share.
    private let bridge: String

    init(_ status: BridgeStatus) {
        bridge = status.stateDirectory
        add(status.counters)
        add(
            "latency_seconds",
            .summary,
            "Time from the first hint of a change to its publication, over the last 1,000 changes.",
            [
                ("0.5", status.counters.latencyP50), ("0.9", status.counters.latencyP90),
                ("0.99", status.counters.latencyP99),
            ].map { quantile, microseconds in
                (labels: [("quantile", quantile)], value: microseconds.map(Self.seconds) ?? "NaN")
            }
        )
        addStates(of: status)
        add("trash_bytes", .gauge, "Size of the trash.", "\(status.trash.bytes)")
        add("trash_files", .gauge, "Files in the trash.", "\(status.trash.files)")
        add("trash_limit_bytes", .gauge, "Maximum size of the trash.", "\(status.trash.limit)")
        add(
            "trash_dropped_early_total",
            .counter,
            "Files deleted from the full trash before the end of their time.",
            "\(status.trash.droppedEarly)"
        )
    }

    private mutating func add(_ counters: BridgeStatus.Counters) {
        add("changes_total", .counter, "Changes synced between the containers.", "\(counters.changes)")
        add(
            "echoes_total",
            .counter,
            "Watcher hints caused by the bridge's own writes.",
            "\(counters.echoes)"
        )
        add(
            "races_total",
            .counter,
            "Saves of other programs between the bridge's check and its write.",
            "\(counters.races)"
        )
        add("merges_total", .counter, "Merges of changes from both sides.", "\(counters.merges)")
        add("conflicts_total", .counter, "Conflicts that were resolved by rule.", "\(counters.conflicts)")
        add("notices_total", .counter, "Reload notices sent.", "\(counters.notices)")
        add("rescans_total", .counter, "Scans of both containers.", "\(counters.rescans)")
    }

    private mutating func addStates(of status: BridgeStatus) {
        let isRunning = status.state == .running
        add("running", .gauge, "1 while changes are synced, 0 while halted or paused.", isRunning ? "1" : "0")
        add(
            "documents",
            .gauge,
            "Documents by state.",
            BridgeStatus.Document.State.allCases.map { state in
                let count = status.documents.count { $0.state == state }
                return (labels: [("state", state.rawValue)], value: "\(count)")
            }
        )
    }

    private enum Kind: String { case counter, gauge, summary }

    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
        add(name, kind, help, [(labels: [], value: value)])
    }

    private mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ samples: [(labels: [(String, String)], value: String)]
    ) {
        text += "# HELP widgetbridge_\(name) \(help)\n# TYPE widgetbridge_\(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = [("bridge", bridge)] + sample.labels
            let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += "widgetbridge_\(name){\(list)} \(sample.value)\n"
        }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func seconds(microseconds: Int) -> String {
        let digits = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }
}
