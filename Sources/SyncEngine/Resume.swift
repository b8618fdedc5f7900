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
            let content = agreement(on: brought, of: document, side, record)
        else { return }
        let sides = BothSides { one in
            SideRecord(
                digest: Digest(of: content.bytes(on: one)),
                signature: one == side ? brought.signature : nil,
                version: one == side ? brought.version : record.sides[one].version
            )
        }
        let next = DocumentRecord(generation: record.generation + 1, sides: sides)
        guard (try? journal.record([.agreed(document, next, content)])) != nil else { return }
        records[document] = next
    }

    /// What both sides held when `brought` had just arrived.
    private func agreement(
        on brought: Sight,
        of document: RelativePath,
        _ side: Side,
        _ record: DocumentRecord
    ) -> BaseContent? {
        let rule = rule(for: document)
        guard let base = try? base(of: document) else { return nil }
        func said(_ json: JSON, _ from: Int?, _ to: Int?, _ agreed: ([UInt8], [UInt8])) -> JSON? {
            guard let from, let to, from != to else { return json }
            guard let first = try? JSON(parsing: agreed.0, limits: .unbounded),
                let second = try? JSON(parsing: agreed.1, limits: .unbounded)
            else { return nil }
            return try? rule.translate(json, from: from, to: to, agreed: (first, second))
        }
        let version = record.sides[side.other].version
        guard
            let newest = said(
                brought.json,
                brought.version,
                rule.newest,
                (base.bytes(on: side), base.newest)
            ),
            let other = version == brought.version
                ? brought.json : said(newest, rule.newest, version, (base.newest, base.bytes(on: side.other)))
        else { return nil }
        let bytes = BothSides { $0 == side ? brought.bytes : other.bytes }
        return BaseContent(newest: newest.bytes, sides: bytes.map { $0 == newest.bytes ? nil : $0 })
    }
}
