/// One step of a migration, as it is shown.
package struct MigrationStep: Sendable, Hashable {
    /// What it does to the fields of a document.
    package enum Effect: String, Sendable, Hashable, Codable {
        case adds, removes, changes

        /// Of the same step taken back.
        var inverse: Effect {
            switch self {
            case .adds: .removes
            case .removes: .adds
            case .changes: .changes
            }
        }
    }

    package var words: String
    package var effect: Effect
}
