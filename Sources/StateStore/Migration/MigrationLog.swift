package import Model

/// One run of `apply`, `rollback` or `finish`, as stored in its file in the state directory: a line for each
/// document, written and synced before the document changes, or before its original bytes are deleted.
package struct MigrationRun: Sendable, Hashable {
    package enum Kind: String, Sendable { case apply, rollback, finish }

    package var number: Int
    package var kind: Kind
    /// The first run of this migration: the one that was killed, if others continued it.
    package var first: Int
    /// Milliseconds since 1970.
    package var at: Int64
    package var profile: String
    /// The lenses that were applied, as JSON, by the document's rule and their target version.
    package var lenses: [LensList] = []
    package var entries: [MigrationEntry] = []
    /// The run completed.
    package var isEnded = false

    package struct LensList: Sendable, Hashable {
        package var rule: String
        package var version: Int
        package var texts: [String]

        package init(rule: String, version: Int, texts: [String]) {
            (self.rule, self.version, self.texts) = (rule, version, texts)
        }
    }

    package init(number: Int, kind: Kind, first: Int, at: Int64, profile: String) {
        self.number = number
        self.kind = kind
        self.first = first
        self.at = at
        self.profile = profile
    }
}

// The text format: fields separated by tabs, so that a line cut off by a crash lacks its end.
extension MigrationRun {
    private static let heading = "widgetbridge-migration"
    private static let format = 1

    var head: String {
        var lines = [
            [
                Self.heading, "\(Self.format)", kind.rawValue, "\(first)", "\(at)", profile.asField,
            ]
        ]
        for list in lenses {
            lines.append(
                ["lenses", "\(list.version)", list.rule.asField] + list.texts.map(\.asField)
            )
        }
        return Self.text(lines)
    }

    static func text(of entries: [MigrationEntry]) -> String {
        text(
            entries.map { entry in
                [
                    "document", entry.side.rawValue, "\(entry.from)", "\(entry.to)",
                    entry.before.description, entry.after.description, entry.pin.map { "\($0)" } ?? "-",
                    entry.document.description.asField,
                ]
            }
        )
    }

    private static func text(_ lines: [[String]]) -> String {
        lines.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    /// `nil` if it is not such a file, or was written by a later release.
    init?(number: Int, bytes: [UInt8]) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.split(separator: 0x09, omittingEmptySubsequences: false).map { String(field: $0) }
        }
        // The text after the last line break was cut off.
        lines.removeLast()
        guard let head = lines.first, head.count == 6, head[0] == Self.heading, head[1] == "\(Self.format)",
            let kind = Kind(rawValue: head[2]), let first = Int(head[3]), let at = Int64(head[4])
        else { return nil }
        self.init(number: number, kind: kind, first: first, at: at, profile: head[5])
        for line in lines.dropFirst() {
            switch line[0] {
            case "lenses" where line.count > 2:
                guard let version = Int(line[1]) else { return nil }
                lenses.append(LensList(rule: line[2], version: version, texts: Array(line[3...])))
            case "document":
                guard let entry = MigrationEntry(fields: line) else { return nil }
                entries.append(entry)
            default: return nil
            }
        }
    }
}

extension MigrationEntry {
    fileprivate init?(fields: [String]) {
        guard fields.count == 8, let side = Side(rawValue: fields[1]), let from = Int(fields[2]),
            let to = Int(fields[3]), let before = Digest(fields[4]), let after = Digest(fields[5]),
            let document = RelativePath(fields[7])
        else { return nil }
        self.init(
            document: document,
            side: side,
            from: from,
            to: to,
            before: before,
            after: after,
            pin: Int(fields[6])
        )
    }
}

/// All runs in a state directory, oldest first.
package struct MigrationHistory: Sendable {
    package var runs: [MigrationRun]
    /// The highest number of a file, including files that could not be parsed.
    var lastNumber: Int
    /// Runs whose files cannot be read or are incomplete: what they did is not known.
    package internal(set) var damaged: [Int] = []
    /// This run and all before it are finished, as older releases recorded it; 0 for none.
    var lastFinished: Int

    package init(runs: [MigrationRun] = [], lastNumber: Int = 0, lastFinished: Int = 0) {
        self.runs = runs
        self.lastNumber = lastNumber
        self.lastFinished = lastFinished
    }

    /// The history without the runs of other profiles, whose documents may be in the same directory.
    package func of(profile: String) -> MigrationHistory {
        var history = self
        history.runs.removeAll { $0.profile != profile }
        return history
    }

    /// What can be rolled back: for each document the changes that were not rolled back, oldest first.
    package var standing: [MigrationPlace: [(run: MigrationRun, entry: MigrationEntry)]] {
        var standing: [MigrationPlace: [(run: MigrationRun, entry: MigrationEntry)]] = [:]
        for run in runs {
            for entry in run.entries {
                var stack = standing[entry.place] ?? []
                switch run.kind {
                case .apply:
                    // It was applied twice, because the first run was killed.
                    if stack.last?.entry.after == entry.after { stack.removeLast() }
                    stack.append((run, entry))
                case .rollback: if !stack.isEmpty { stack.removeLast() }
                case .finish: break
                }
                standing[entry.place] = stack.isEmpty ? nil : stack
            }
        }
        return standing
    }

    /// The last migration that can be rolled back: what its documents were before. Finished documents are
    /// left out, unless all are finished.
    package func last(on sides: [Side]) -> [MigrationEntry] {
        let tops = standing.values.compactMap(\.last)
        guard let newest = tops.map(\.run.first).max() else { return [] }
        let last = tops.filter { $0.run.first == newest && sides.contains($0.entry.side) }
        let ends = ends
        let open = last.filter { !isFinished($0.entry.place, $0.run, ends) }
        return (open.isEmpty ? last : open).map(\.entry).sorted { $0.place < $1.place }
    }

    package var last: [MigrationEntry] { last(on: Side.allCases) }

    /// A run that was killed, or failed. A run of `finish` changes no document.
    package var unfinished: MigrationRun? {
        runs.last { $0.kind != .finish }.flatMap { $0.isEnded ? nil : $0 }
    }

    package var nextNumber: Int { lastNumber + 1 }
}
