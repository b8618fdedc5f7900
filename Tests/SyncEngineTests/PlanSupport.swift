import Documents
import Model
import StateStore
import SyncEngine
import Testing

/// A document of one side as a test writes it.
struct Text: Hashable {
    var text: String
    var version: Int?

    init(_ text: String, version: Int? = nil) {
        self.text = text
        self.version = version
    }

    var bytes: [UInt8] { Array(text.utf8) }
    var digest: Digest { Digest(of: bytes) }
    var signature: Signature {
        Signature(device: 1, inode: 7, size: Int64(text.utf8.count), modified: 1, changed: 1)
    }

    func json() throws -> JSON { try JSON(parsing: bytes) }
}

/// One document: the base and the content of each side.
struct Situation {
    var rule: DocumentRule
    var base: (content: BaseContent, record: DocumentRecord)?
    var app: Text?
    var group: Text?
    var pinned = BothSides<Int?>(app: nil, group: nil)
    /// What a side's program last read, if it is not the base.
    var known = BothSides<Text?>(app: nil, group: nil)

    subscript(side: Side) -> Text? { side == .app ? app : group }

    mutating func agree(newest: Text, app: Text, group: Text) {
        let both = BothSides(app: app, group: group)
        base = (
            BaseContent(newest: newest.bytes, sides: both.map { $0 == newest ? nil : $0.bytes }),
            DocumentRecord(
                generation: 1,
                version: newest.version,
                sides: both.map { SideRecord(digest: $0.digest, signature: nil, version: $0.version) }
            )
        )
    }

    func observation(_ side: Side) throws -> Observation {
        guard let text = self[side] else { return .absent }
        if base?.record.sides[side].digest == text.digest { return .unchanged(text.signature) }
        return .content(
            DocumentSnapshot(
                json: try text.json(),
                bytes: text.bytes,
                digest: text.digest,
                signature: text.signature,
                version: text.version
            )
        )
    }

    func input() throws -> PlanInput {
        let document = try #require(RelativePath(rule.path))
        return PlanInput(
            document: document,
            rule: rule,
            record: base?.record,
            observed: try BothSides { try observation($0) },
            pinned: pinned,
            limits: JSONLimits(),
            known: known.map { $0.map { PlanInput.WriterBase(bytes: $0.bytes) } }
        )
    }

    func planned() throws -> Plan {
        let content = base?.content
        return SyncEngine.plan(try input()) { content }
    }

    /// The situation after the plan was carried out and recorded.
    func carriedOut(_ plan: Plan) throws -> Situation {
        var next = self
        next.known = BothSides(app: nil, group: nil)
        for side in Side.allCases {
            let text: Text?
            switch plan.writes[side] {
            case nil: continue
            case .remove: text = nil
            case .content(let bytes): text = try read(String(decoding: bytes, as: UTF8.self))
            }
            if side == .app { next.app = text } else { next.group = text }
        }
        switch plan.agreement {
        case .same, .none: break
        case .absent: next.base = nil
        case .content(let agreed):
            let sides = BothSides { side in
                SideRecord(
                    digest: next[side]?.digest ?? Digest(of: []),
                    signature: nil,
                    version: agreed.versions[side]
                )
            }
            let record = DocumentRecord(generation: 2, version: rule.newest, sides: sides)
            next.base = (agreed.content, record)
        }
        return next
    }

    private func read(_ text: String) throws -> Text {
        guard case .known(let version) = rule.version(of: try Text(text).json()) else { return Text(text) }
        return Text(text, version: version)
    }
}

/// Contents that differ in one value, in each version.
enum Letter: Int, CaseIterable {
    case a = 1
    case b, c

    var plain: Text { Text(#"{"x":\#(rawValue)}"#) }

    func budget(_ version: Int) -> Text {
        let v1 = #""spent":\#(rawValue),"limit":9"#
        let v2 = #"{"totalAmount":\#(rawValue),"expenseCount":0,"hasError":false,\#(v1)}"#
        return version == 1
            ? Text("{\(v1)}", version: 1) : Text(#"{"version":2,"data":\#(v2)}"#, version: 2)
    }
}

enum Rules {
    static let plain = DocumentRule.plain(path: "a.json")

    /// Without schemas: the documents of these tests have only a few keys.
    static func budget() throws -> DocumentRule {
        try Profile(yaml: budgetText, file: "budget").rule(for: "budget.json")
    }

    private static let budgetText = #"""
        profile: budget
        timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
        documents:
          budget.json:
            version: {field: version, missing: 1}
            versions:
              1: {}
              2:
                lenses:
                  - convert: {field: lastUpdated, from: [iso8601, local, milliseconds], to: iso8601}
                  - add: {field: totalAmount, copy: spent, first: true}
                  - add: {field: expenseCount, value: 0, after: totalAmount}
                  - add: {field: hasError, value: false, after: expenseCount}
                  - wrap: data
        """#
}

extension Plan {
    /// Everything in it that can be compared.
    var summary: String {
        let writes = Side.allCases.map { side in
            switch self.writes[side] {
            case nil: "-"
            case .remove: "remove"
            case .content(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }
        let agreed =
            switch agreement {
            case .same: "same"
            case .none: "none"
            case .absent: "absent"
            case .content(let agreed):
                ([agreed.content.newest] + Side.allCases.map { agreed.content.bytes(on: $0) })
                    .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
            }
        let conflictCopies = conflictCopies.map { String(decoding: $0, as: UTF8.self) }
        return
            "\(change as Any) \(writes) \(agreed) \(cause) \(problem as Any) \(conflicts) \(conflictCopies)"
    }

    func written(to side: Side) -> String? {
        if case .content(let bytes) = writes[side] { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// `nil` if there is no new base.
    var agreed: Plan.Agreed? {
        if case .content(let agreed) = agreement { agreed } else { nil }
    }

    var writesNothing: Bool { Side.allCases.allSatisfy { writes[$0] == nil } }
}
