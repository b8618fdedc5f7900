/// One step of a migration, as it is shown.
package struct MigrationStep: Sendable, Hashable {
    /// How it changes the fields of a document.
    package enum Effect: String, Sendable, Hashable, Codable {
        case adds, removes, changes

        /// The effect of the same step in reverse.
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
