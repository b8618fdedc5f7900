import Documents
import Model

// What a scenario written by hand must not contain, since a verdict on it would mean less than it seems to.
// Saved scenarios are not checked: shrinking removes what the anomaly does not need.
extension Scenario {
    /// All contents that the programs of one run may write, in bytes.
    private static var mostContents: Int { 64 << 20 }

    func checkSense(documents listed: YAMLField, actors acting: YAMLField) throws(ProfileError) {
        var operations = 0
        for (number, (_, value)) in try acting.members().enumerated() {
            try checkPurpose(actors[number], value)
            try checkVersion(actors[number], value)
            try checkOperations(actors[number], value)
            operations += actors[number].operations.reduce(0) { $0 + ($1.count ?? 1) }
        }
        if operations > Operation.mostTimes {
            throw acting.fail("more than \(Operation.mostTimes) operations of all actors")
        }
        let longest = documents.map { max($0.padding, $0.holds?.utf8.count ?? 0) }.max() ?? 0
        if longest * (operations + 1) > Self.mostContents {
            let megabytes = Self.mostContents >> 20
            throw listed.fail(
                "the contents that \(operations) operations write are more than \(megabytes) MB"
            )
        }
        let isUseful = actors.contains { $0.operations.contains { !$0.verb.isOfFate && $0.verb != .wait } }
        if !isUseful { throw acting.fail("no actor reads or writes anything") }
        try checkReaders(acting)
    }

    private func checkPurpose(_ actor: ScenarioActor, _ field: YAMLField) throws(ProfileError) {
        if actor.kind == .agent {
            guard actor.operations.isEmpty else {
                throw field.fail("`\(actor.name)` is an agent, which acts by itself: leave out its `does`")
            }
        } else if actor.operations.allSatisfy({ $0.verb == .wait || $0.count == 0 }) {
            throw field.fail(
                "`\(actor.name)` has nothing to do: give it operations in `does`, or leave it out"
            )
        }
        if actor.kind != .agent, let field = try field.member("engine") {
            throw field.fail("only an agent has an `engine`")
        }
    }

    private func checkVersion(_ actor: ScenarioActor, _ field: YAMLField) throws(ProfileError) {
        guard let version = actor.version, let field = try field.member("version") else { return }
        if profile == nil { throw field.fail("a `version` needs a `profile`") }
        let isKnown = documents.contains { knows(version, of: $0.path) }
        if !isKnown { throw field.fail("no document of the scenario has a version \(version)") }
    }

    /// One entry of `does` at a time, which may stand for several equal operations.
    private func checkOperations(_ actor: ScenarioActor, _ field: YAMLField) throws(ProfileError) {
        var subscribed: Set<RelativePath> = []
        for entry in try field.member("does")?.list() ?? [] {
            let operation = try Operation.read(entry, documents[0].path).0
            let name = operation.document?.description ?? ""
            switch operation.verb {
            case .subscribe: if let path = operation.document { subscribed.insert(path) }
            case .readOnNotice where operation.document.map(subscribed.contains) != true:
                throw entry.fail("`read-on-notice` of `\(name)` needs a `subscribe` before it")
            case .migrate: try checkMigration(operation, name, entry)
            case .crash: try checkVictim(operation, entry)
            default:
                if operation.version != nil { throw entry.fail("only `migrate` takes a `version`") }
            }
        }
    }

    private func checkMigration(
        _ operation: Operation,
        _ name: String,
        _ entry: YAMLField
    ) throws(ProfileError) {
        guard let profile else { throw entry.fail("`migrate` needs a `profile`") }
        guard let version = operation.version else { throw entry.fail("`migrate` needs a `version`") }
        if operation.document.map({ knows(version, of: $0) }) != true {
            throw entry.fail("profile \(profile) has no version \(version) of `\(name)`")
        }
    }

    private func checkVictim(_ operation: Operation, _ entry: YAMLField) throws(ProfileError) {
        let mortals = actors.filter { $0.kind != .fate }.map(\.name)
        let target = operation.target ?? ""
        if !mortals.contains(target) { throw entry.fail(.unknownWord(target, known: mortals)) }
    }

    private func knows(_ version: Int, of path: RelativePath) -> Bool {
        let rule = profile.flatMap { LabProfile.named($0) }?.rule(for: path.description)
        return rule?.versionNumbers.contains(version) == true
    }

    /// The expected and checked anomalies must be possible.
    private func checkReaders(_ field: YAMLField) throws(ProfileError) {
        let isEverything = checks.count == AnomalyKind.allCases.count
        let asked = (isEverything ? [] : checks.sorted()) + [expected].compactMap(\.self)
        for kind in asked {
            if let reason = reasonNever(kind) {
                throw field.fail("\(reason.text), so `\(kind.rawValue)` cannot occur")
            }
        }
    }
}

extension YAMLField {
    /// A member of a mapping.
    fileprivate func member(_ name: String) throws(ProfileError) -> YAMLField? {
        try members().first { $0.name == name }?.value
    }
}
