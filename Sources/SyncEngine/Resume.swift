import Documents
import Reconciliation
import Storage

/// A run was killed after it had brought a content to a side, and before that was recorded. What stands there
/// then is nobody's edit: taken for one, it would win over what the other side has saved since.
extension Engine {
    mutating func resume(_ temporary: TemporaryName, _ document: RelativePath, _ side: Side) {
        guard temporary.isCarried, let record = records[document],
            temporary.isExpected(record.sides[side].digest),
            case .content(let brought) = look(side, document, rehash: true, record: nil),
            temporary.isContent(brought.digest),
            case .content(let now) = look(side.other, document, rehash: true, record: nil),
            !temporary.isSource(now.digest),
            let agreed = agreement(on: brought, of: document, side, record, beside: now.signature)
        else { return }
        let sides = BothSides { one in
            SideRecord(
                digest: Digest(of: agreed.content.bytes(on: one)),
                signature: one == side ? brought.signature : nil,
                version: agreed.versions[one]
            )
        }
        let next = DocumentRecord(generation: record.generation + 1, sides: sides)
        guard (try? journal.record([.agreed(document, next, agreed.content)])) != nil else { return }
        records[document] = next
    }

    /// What both sides held when `brought` had just arrived: the same as if it were carried from there.
    private func agreement(
        on brought: Sight,
        of document: RelativePath,
        _ side: Side,
        _ record: DocumentRecord,
        beside signature: Signature
    ) -> Plan.Agreed? {
        let study = Study(
            document: document,
            rule: rule(for: document),
            record: record,
            observed: BothSides { $0 == side ? .content(brought) : .unchanged(signature) },
            pinned: pinnedVersions(of: document),
            limits: limits
        )
        let planned = try? plan(study) { () throws(BaseFailure) in try base(of: document) }
        guard case .content(let agreed)? = planned?.agreement, agreed.content.bytes(on: side) == brought.bytes
        else { return nil }
        return agreed
    }
}
