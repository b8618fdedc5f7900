import Documents
import Model
import SyncEngine

/// Finds what a scenario written by hand must not contain, since a verdict on it would mean less than it
/// seems to. Saved scenarios are not checked: shrinking removes what the anomaly does not need.
struct SenseCheck {
    let scenario: Scenario
    let actors: [ScenarioReader.ReadActor]
    let listed: YAMLField
    let acting: YAMLField
    let checks: YAMLField?
    let expect: YAMLField?

    var mistakes: [ProfileError] {
        zip(scenario.actors, actors).flatMap { actor, read in
            [purpose(actor, read), version(actor, read), engine(actor, read)].compactMap(\.self)
                + operations(read, of: actor)
        } + whole
    }

    // MARK: One actor

    private func purpose(_ actor: ScenarioActor, _ read: ScenarioReader.ReadActor) -> ProfileError? {
        let name = actor.name
        if actor.kind == .agent {
            if actor.operations.isEmpty { return nil }
            return read.field.fail("`\(name)` is an agent, which acts by itself: leave out its `does`")
        }
        let idle: Set<Operation.Verb> = [.wait, .ifHolds]
        guard actor.operations.allSatisfy({ idle.contains($0.verb) || $0.count == 0 }) else { return nil }
        return read.field.fail("`\(name)` has nothing to do: give it operations in `does`, or leave it out")
    }

    private func version(_ actor: ScenarioActor, _ read: ScenarioReader.ReadActor) -> ProfileError? {
        guard let version = actor.version, let field = read.field.member("version") else { return nil }
        if scenario.profile == nil { return field.fail("a `version` needs a `profile`") }
        if scenario.documents.contains(where: { knows(version, of: $0.path) }) { return nil }
        return field.fail("no document of the scenario has a version \(version)")
    }

    private func engine(_ actor: ScenarioActor, _ read: ScenarioReader.ReadActor) -> ProfileError? {
        guard actor.kind != .agent, let field = read.field.member("engine") else { return nil }
        return field.fail("only an agent has an `engine`")
    }

    private func operations(_ read: ScenarioReader.ReadActor, of actor: ScenarioActor) -> [ProfileError] {
        var subscribed: Set<RelativePath> = []
        var version = actor.version
        return read.entries.compactMap { entry in
            let operation = entry.operation
            if operation.verb == .subscribe, let path = operation.document { subscribed.insert(path) }
            switch operation.verb {
            case .readOnNotice where operation.document.map(subscribed.contains) != true:
                let name = operation.document?.description ?? ""
                return entry.field.fail("`read-on-notice` of `\(name)` needs a `subscribe` before it")
            case .migrate:
                defer { version = operation.version ?? version }
                return migration(operation, from: version, entry.field)
            case .crash: return victim(operation, entry.field)
            default: break
            }
            return operation.version == nil ? nil : entry.field.fail("only `migrate` takes a `version`")
        }
    }

    private func migration(_ operation: Operation, from old: Int?, _ field: YAMLField) -> ProfileError? {
        guard let profile = scenario.profile else { return field.fail("`migrate` needs a `profile`") }
        guard let version = operation.version else { return field.fail("`migrate` needs a `version`") }
        if let path = operation.document, !knows(version, of: path) {
            return field.fail("profile \(profile) has no version \(version) of `\(path)`")
        }
        guard let old, version <= old else { return nil }
        return field.fail("`migrate` needs a `version` that is newer than the program's, which is \(old)")
    }

    private func victim(_ operation: Operation, _ field: YAMLField) -> ProfileError? {
        let mortals = scenario.actors.filter { $0.kind != .fate }.map(\.name)
        let target = operation.target ?? ""
        return mortals.contains(target) ? nil : field.fail(.unknownWord(target, known: mortals))
    }

    private func knows(_ version: Int, of path: RelativePath) -> Bool {
        let rule = scenario.profile.flatMap { LabProfile.named($0) }?.rule(for: path.description)
        return rule?.versionNumbers.contains(version) == true
    }

    // MARK: Documents

    /// What a document of a profile holds at the start must be one: bridges hold others, or mistranslate
    /// them.
    private var documents: [ProfileError] {
        guard let profile = scenario.profile, let list = try? listed.list() else { return [] }
        let version = scenario.actors.first { $0.isProgram }?.version
        return zip(scenario.documents, list).compactMap { document, field in
            guard let rule = LabProfile.named(profile)?.rule(for: document.path.description),
                !rule.versionNumbers.isEmpty
            else { return nil }
            guard let text = document.holds else {
                // The lab's own object is one of this profile.
                if profile == LabProfile.budget?.id { return nil }
                return field.fail("a document of profile \(profile) needs `holds`: the lab has no content")
            }
            let place = field.member("holds") ?? field
            guard let json = try? JSON(parsing: Array(text.utf8)), let known = rule.known(json) else {
                return place.fail("`holds` is in no version of `\(document.path)` in profile \(profile)")
            }
            guard let version, version != known else { return nil }
            return place.fail("`holds` is in version \(known), and that of the first program is \(version)")
        }
    }

    // MARK: All together

    private var whole: [ProfileError] {
        let counts = scenario.actors.flatMap(\.operations).map { $0.count ?? 1 }
        let operations = counts.reduce(0, +)
        var found: [ProfileError] = []
        if operations > ScenarioLimits.operations {
            found.append(acting.fail("more than \(ScenarioLimits.operations) operations of all actors"))
        }
        let longest = scenario.documents.map { max($0.padding, $0.holds?.utf8.count ?? 0) }.max() ?? 0
        if longest * (operations + 1) > ScenarioLimits.contents {
            let megabytes = ScenarioLimits.contents >> 20
            let writers = counted(operations, "operation writes", "operations write")
            let what = "the contents that \(writers) are more than \(megabytes) MB"
            found.append(listed.fail(what))
        }
        let isUseful = scenario.actors.contains {
            $0.operations.contains { !$0.verb.isOfFate && $0.verb != .wait }
        }
        if !isUseful { return found + [acting.fail("no actor reads or writes anything")] }
        found += documents
        let impossible = impossible
        return found + (impossible.isEmpty ? harmless : impossible)
    }

    /// The expected and checked anomalies must be possible.
    private var impossible: [ProfileError] {
        let isEverything = scenario.checks.count == AnomalyKind.allCases.count
        let asked = isEverything ? [] : (try? checks?.list()) ?? []
        return (asked + [expect].compactMap(\.self)).compactMap { field in
            guard let kind: AnomalyKind = try? field.choice(), let reason = scenario.reasonNever(kind) else {
                return nil
            }
            return field.fail("\(reason.text), so `\(kind.rawValue)` cannot occur")
        }
    }

    /// If nothing can go wrong, finding nothing proves nothing.
    private var harmless: [ProfileError] {
        let kinds = AnomalyKind.allCases.filter { $0 != .ownCheck }
        guard kinds.allSatisfy({ scenario.reasonNever($0) != nil }) else { return [] }
        return [acting.fail("no actor writes, so no anomaly can occur: add an operation that writes")]
    }
}
