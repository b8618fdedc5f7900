import Documents
import Model
import Replica
import StateStore

/// Handles a run that was killed after it had published a content and before it had recorded that. The
/// published content is no program's edit: taken for one, it would win over later saves of the other side.
extension Engine {
    /// - Parameter leftovers: All temporary files beside the document.
    mutating func resume(
        _ temporary: TemporaryName,
        at place: Location,
        _ document: RelativePath,
        _ side: Side,
        among leftovers: [TemporaryName]
    ) throws(BaseFailure) {
        guard temporary.isCarried, let record = records[document],
            let steps = temporary.steps(from: record.sides[side].digest, through: leftovers),
            case .content(let now) = look(side.other, document, rehash: true, record: nil)
        else { return }
        switch look(side, document, rehash: true, record: nil) {
        case .content(let brought) where temporary.isContent(brought.digest):
            // An announcement has what the other side had; here that would be a translation.
            guard !temporary.isSource(now.digest), !intents.isReplaced(document) else { return }
            let observed = (
                brought: Observation.content(brought), beside: Observation.unchanged(now.signature)
            )
            try achieved(temporary, observed, document, side, record.after(steps), brought.signature)
        case .absent where temporary.isSource(now.digest) && holdsExpected(place, temporary),
            .content where temporary.isSource(now.digest) && holdsExpected(place, temporary):
            // It was published, and a program has deleted or overwritten it since.
            let observed = (brought: Observation.unchanged(now.signature), beside: Observation.content(now))
            try achieved(temporary, observed, document, side, record.after(steps), nil)
        default: return
        }
    }

    /// Whether the exchange took place: then the displaced content is there. Without an exchange, the same
    /// content is also there before the rename, under a second name.
    func holdsExpected(_ place: Location, _ temporary: TemporaryName) -> Bool {
        if let staged = place.temporaryOfSecondName, !isMissing(staged) { return false }
        guard let digest = (try? contents(of: place)).map({ Digest(of: $0) }) else { return false }
        return temporary.isExpected(digest) && !temporary.isContent(digest)
    }

    private mutating func achieved(
        _ temporary: TemporaryName,
        _ observed: (brought: Observation, beside: Observation),
        _ document: RelativePath,
        _ side: Side,
        _ record: DocumentRecord,
        _ signature: Signature?
    ) throws(BaseFailure) {
        guard let agreed = try agreement(on: observed, of: document, side, record),
            temporary.isContent(Digest(of: agreed.content.bytes(on: side)))
        else { return }
        let sides = BothSides { one in
            SideRecord(
                digest: Digest(of: agreed.content.bytes(on: one)),
                signature: one == side ? signature : nil,
                version: agreed.versions[one]
            )
        }
        let next = DocumentRecord(
            generation: record.generation,
            version: rule(for: document).newest,
            sides: sides
        )
        journal.add([.agreed(document, next, agreed.content)])
        records[document] = next
    }

    /// The content of both sides right after the publication, as if it had been copied from there.
    private func agreement(
        on observed: (brought: Observation, beside: Observation),
        of document: RelativePath,
        _ side: Side,
        _ record: DocumentRecord
    ) throws(BaseFailure) -> Plan.Agreed? {
        let input = PlanInput(
            document: document,
            rule: rule(for: document),
            record: record,
            observed: BothSides { $0 == side ? observed.brought : observed.beside },
            pinned: rules.pinnedVersions(of: document),
            limits: limits
        )
        let planned = try plan(input) { () throws(BaseFailure) in try base(of: document) }
        guard case .content(let agreed) = planned.agreement else { return nil }
        return agreed
    }
}

extension DocumentRecord {
    /// The record, this many publications later.
    fileprivate func after(_ steps: Int64) -> DocumentRecord {
        var record = self
        record.generation += steps
        return record
    }
}
