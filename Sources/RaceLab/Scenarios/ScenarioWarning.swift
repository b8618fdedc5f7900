package import Documents
package import Model

/// Something in a scenario that is legal, and that has no effect or cannot happen.
package struct ScenarioWarning: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// A program waits for a notice of a document that no program changes before.
        case neverNotified(RelativePath)
        /// The operation is repeated 0 times.
        case neverRuns(Operation.Verb)
        case subscribedAlready(RelativePath)
        /// A key that this operation ignores.
        case ignoredKey(String, Operation.Verb)
        /// A key that this kind of actor ignores.
        case ignoredByActor(String, ScenarioActor.Kind)
        case unusedDocument(RelativePath)
        /// Its content is given.
        case ignoredPadding(RelativePath)
        /// It is absent at the start, and no program writes it.
        case neverWritten(RelativePath)
        case unchecked(AnomalyKind)
        /// Only a check written in Swift finds it.
        case needsOwnCheck
        /// Every agent has an engine of its own.
        case unusedEngine(EngineKind)
        /// An agent that shares its journal with no other.
        case sharesWithNone
    }

    package var file: String
    package var line: Int
    package var column: Int
    /// The path of the key, its parts separated by dots.
    package var key: String
    package var reason: Reason

    package init(_ reason: Reason, at field: YAMLField) {
        let place = field.fail("")
        (file, line, column, key) = (place.file, place.line, place.column, place.key)
        self.reason = reason
    }
}
