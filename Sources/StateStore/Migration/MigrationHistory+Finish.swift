package import Model

/// The documents whose original bytes are concerned: all of a profile, or some of them.
package struct OriginalsScope: Sendable {
    /// `nil`: every document.
    var names: Set<RelativePath>?
    var sides: Set<Side>

    package init(names: [RelativePath]? = nil, sides: [Side] = Side.allCases) {
        self.names = names.map(Set.init)
        self.sides = Set(sides)
    }

    package var isWhole: Bool { names == nil && sides.count == Side.allCases.count }

    func contains(_ place: MigrationPlace) -> Bool {
        sides.contains(place.side) && names.map { $0.contains(place.document) } ?? true
    }
}

// Finished documents.
extension MigrationHistory {
    /// The last run that finished each document.
    typealias Ends = [MigrationPlace: Int]

    var ends: Ends {
        var ends: Ends = [:]
        for run in runs where run.kind == .finish {
            for entry in run.entries { ends[entry.place] = run.number }
        }
        return ends
    }

    func isFinished(_ place: MigrationPlace, _ run: MigrationRun, _ ends: Ends) -> Bool {
        run.number <= max(lastFinished, ends[place] ?? 0)
    }

    /// The first of these documents whose last migration is finished.
    package func firstFinished(of entries: [MigrationEntry]) -> MigrationEntry? {
        let (standing, ends) = (standing, ends)
        return entries.first { entry in
            standing[entry.place]?.last.map { isFinished(entry.place, $0.run, ends) } ?? false
        }
    }

    /// What can be rolled back for these documents: their last migration.
    package func unfinished(in scope: OriginalsScope) -> [MigrationEntry] {
        let ends = ends
        let tops = standing.values.compactMap(\.last).filter { top in
            scope.contains(top.entry.place) && !isFinished(top.entry.place, top.run, ends)
        }
        return tops.map(\.entry).sorted { $0.place < $1.place }
    }
}

// Which contents belong to which documents. Several documents, also of several profiles, can have had the
// same bytes.
extension MigrationHistory {
    /// All contents that these documents had before a migration.
    package func originals(of scope: OriginalsScope) -> Set<Digest> {
        var found: Set<Digest> = []
        for run in runs where run.kind == .apply {
            for entry in run.entries where scope.contains(entry.place) { found.insert(entry.before) }
        }
        return found
    }

    /// All contents that the `rollback` of any profile could still need.
    package var neededOriginals: Set<Digest> {
        var needed: Set<Digest> = []
        for profile in Set(runs.map(\.profile)) {
            let own = of(profile: profile)
            let ends = own.ends
            for (place, stack) in own.standing {
                for step in stack where !own.isFinished(place, step.run, ends) {
                    needed.insert(step.entry.before)
                }
            }
        }
        return needed
    }
}
