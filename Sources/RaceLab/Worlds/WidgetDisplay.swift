import Documents
import Model

/// What widgets display.
struct WidgetDisplay {
    /// Rules of the documents with versions.
    let rules: [DocumentRule?]
    let table: VersionTable

    /// The kinds whose display of a document changes between two versions; without a profile one, which
    /// displays everything.
    func kinds(of document: Int, changedFrom old: Int, to new: Int) -> [String] {
        if old == new { return [] }
        guard let rule = rules[document] else {
            return old != History.absent && new != History.absent && table.hasSameValue(old, new) ? [] : [""]
        }
        // Simulated time begins in 1970.
        let setting = WidgetSetting(zone: .utc, now: 0)
        return rule.kinds(changedBetween: table.newest(old, rule), and: table.newest(new, rule), in: setting)
    }
}

extension WidgetDisplay {
    init(_ executor: ScheduleExecutor<some RaceBackend>) {
        let scenario = executor.scenario
        let shown = scenario.documents.map { executor.profile?.named($0.path.description) }
        self.init(rules: scenario.widgets.isEmpty ? executor.rules : shown, table: executor.table)
    }
}

extension VersionTable {
    fileprivate func hasSameValue(_ old: Int, _ new: Int) -> Bool {
        guard let one = try? JSON(parsing: self[old].bytes), let other = try? JSON(parsing: self[new].bytes)
        else { return false }
        return one.isEqual(to: other)
    }

    /// In the newest version; `nil` if there is nothing to display.
    fileprivate func newest(_ version: Int, _ rule: DocumentRule) -> JSON? {
        guard version != History.absent, let json = try? JSON(parsing: self[version].bytes) else {
            return nil
        }
        guard let newest = rule.newest, case .known(let number) = rule.version(of: json), number != newest
        else { return json }
        return try? rule.translate(json, from: number, to: newest, agreed: nil)
    }
}
