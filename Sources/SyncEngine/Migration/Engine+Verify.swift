import Documents
import Model

extension Engine {
    /// Takes each document up, down and up again, in memory.
    package func verify(_ items: inout [MigrationItem], to target: Int?) {
        for place in items.indices {
            guard let old = items[place].old else { continue }
            items[place].check = rule(for: items[place].document).check(migrationOf: old, to: target)
        }
    }
}
