import Documents
import StateStore

extension DocumentRule {
    /// The lenses between two versions, grouped by the version they lead to.
    func lensLists(from: Int, to: Int) -> [MigrationRun.LensList] {
        versionNumbers.filter { $0 > min(from, to) && $0 <= max(from, to) }.map {
            MigrationRun.LensList(rule: path, version: $0, texts: lensTexts(to: $0))
        }
    }
}
