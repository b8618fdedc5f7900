package import Documents
import Model

/// What is wrong with a scenario, and what of it has no effect.
package struct ScenarioLint: Sendable {
    /// In the order of the file. The scenario cannot be explored with any of them.
    package private(set) var mistakes: [ProfileError] = []
    /// In the order of the file; looked for in a scenario without mistakes.
    package private(set) var warnings: [ScenarioWarning] = []

    /// Parses YAML; `file` is for the positions.
    package init(yaml: String, file: String) {
        do throws(ProfileError) {
            let root = try YAMLField.root(of: yaml, file: file)
            var reader = ScenarioReader(isSaved: false)
            let scenario = reader.scenario(root)
            mistakes = reader.mistakes
            if mistakes.isEmpty {
                let finder = WarningFinder(scenario: scenario, actors: reader.actors, root: root)
                warnings = finder.warnings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
            }
        } catch {
            mistakes = [error]
        }
    }
}

private struct WarningFinder {
    let scenario: Scenario
    let actors: [ScenarioReader.ReadActor]
    let root: YAMLField

    var warnings: [ScenarioWarning] {
        zip(scenario.actors, actors).flatMap { actor, read in ofActor(actor, read) + ofOperations(read) }
            + ofDocuments + ofChecks + ofEngines
    }

    // MARK: Actors

    private func ofActor(_ actor: ScenarioActor, _ read: ScenarioReader.ReadActor) -> [ScenarioWarning] {
        if actor.isProgram { return [] }
        return ["side", "version"].compactMap { key in
            read.field.member(key).map { ScenarioWarning(.ignoredByActor(key, actor.kind), at: $0) }
        }
    }

    private func ofOperations(_ read: ScenarioReader.ReadActor) -> [ScenarioWarning] {
        var subscribed: Set<RelativePath> = []
        return read.entries.enumerated().flatMap { number, entry in
            let (operation, field) = (entry.operation, entry.field)
            var found = ignoredKeys(operation).map { key in
                ScenarioWarning(.ignoredKey(key, operation.verb), at: field.member(key) ?? field)
            }
            if entry.times == 0 || operation.count == 0 {
                found.append(ScenarioWarning(.neverRuns(operation.verb), at: field))
            }
            guard let path = operation.document else { return found }
            if operation.verb == .subscribe, !subscribed.insert(path).inserted {
                found.append(ScenarioWarning(.subscribedAlready(path), at: field))
            }
            if operation.verb == .readOnNotice, !isNotified(of: path, read, before: number) {
                found.append(ScenarioWarning(.neverNotified(path), at: field))
            }
            return found
        }
    }

    private func ignoredKeys(_ operation: Operation) -> [String] {
        let verb = operation.verb
        let keys = [
            ("field", operation.field, verb.setsField || verb.isCondition),
            ("second-field", operation.secondField, verb.setsField),
            ("is", operation.value, verb.isCondition),
        ]
        return keys.filter { $0.1 != nil && !$0.2 }.map(\.0)
    }

    /// Another actor changes the document, or this one does before. A restarted bridge sends notices, too.
    private func isNotified(
        of path: RelativePath,
        _ read: ScenarioReader.ReadActor,
        before number: Int
    ) -> Bool {
        actors.contains { other in
            let entries = other.name == read.name ? other.entries.prefix(number) : other.entries[...]
            return entries.contains { $0.operation.changes(path) || $0.operation.verb.isOfFate }
        }
    }

    // MARK: The rest

    private var ofDocuments: [ScenarioWarning] {
        guard let list = try? root.member("documents")?.list() else { return [] }
        let operations = scenario.actors.flatMap(\.operations)
        return zip(scenario.documents, list).compactMap { document, field in
            let path = document.path
            if document.holds != nil, document.padding > 0, let padding = field.member("padding") {
                return ScenarioWarning(.ignoredPadding(path), at: padding)
            }
            // A tap is one on the widget of any document.
            if !operations.contains(where: { $0.document == path || [.anything, .tap].contains($0.verb) }) {
                return ScenarioWarning(.unusedDocument(path), at: field)
            }
            if scenario.neverWritten.contains(path) {
                return ScenarioWarning(.neverWritten(path), at: field)
            }
            return nil
        }
    }

    private var ofChecks: [ScenarioWarning] {
        let own = (try? root.member("checks")?.list()) ?? []
        let found = own.filter { (try? $0.text()) == AnomalyKind.ownCheck.rawValue }
            .map { ScenarioWarning(.needsOwnCheck, at: $0) }
        guard let expected = scenario.expected, let field = root.member("expect") else { return found }
        if !scenario.checks.contains(expected) {
            return found + [ScenarioWarning(.unchecked(expected), at: field)]
        }
        return found + (expected == .ownCheck ? [ScenarioWarning(.needsOwnCheck, at: field)] : [])
    }

    private var ofEngines: [ScenarioWarning] {
        var found: [ScenarioWarning] = []
        let agents = scenario.actors.filter { $0.kind == .agent }
        if let field = root.member("engine"), agents.allSatisfy({ $0.engine != nil }) {
            found.append(ScenarioWarning(.unusedEngine(scenario.engine), at: field))
        }
        let sharing = agents.filter { scenario.engine(of: $0) == .sharedState }
        if sharing.count == 1, let read = actors.first(where: { $0.name == sharing[0].name }) {
            let own = read.field.member("engine") ?? root.member("engine")
            found.append(ScenarioWarning(.sharesWithNone, at: own ?? read.field))
        }
        return found
    }
}

extension Operation {
    /// Whether it may change the document.
    func changes(_ path: RelativePath) -> Bool {
        verb == .anything || verb.isWrite && document == path
    }
}
