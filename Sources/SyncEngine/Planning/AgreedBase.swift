import Documents
import Model
import StateStore

/// The base of a document, translated for the current profile.
///
/// The journal stores a base in the newest version of the profile at that time. The profile may have gained a
/// newer version since, or lost that one. All comparisons and merges take the base from here.
enum AgreedBase {
    /// In the newest version of the current profile; the record has the versions of the sides' bytes.
    case content(BaseContent, DocumentRecord)
    /// It cannot be translated to that version, so there is no base.
    case lost
    /// This profile cannot read it, but a newer one with this version can.
    case newer(Int)
}

extension DocumentRule {
    func agreed(_ content: BaseContent, _ record: DocumentRecord) -> AgreedBase {
        guard let newest else { return unversioned(content, record) }
        var record = record
        for side in Side.allCases where !knows(version: record.sides[side].version) {
            record.sides[side].version = (try? JSON(parsing: content.bytes(on: side), limits: .unbounded))
                .flatMap { known($0) }
        }
        if record.version == newest { return .content(content, record) }
        guard let json = try? JSON(parsing: content.newest, limits: .unbounded) else { return .lost }
        let version: Int
        switch record.version.map(VersionReading.known) ?? self.version(of: json) {
        case .known(let number): version = number
        case .newer(let number): return .newer(number)
        case .unversioned, .unreadable: return .lost
        }
        if version > newest { return .newer(version) }
        guard let raised = try? translate(json, from: version, to: newest, agreed: nil) else { return .lost }
        return .content(content.restated(as: raised.bytes), record)
    }

    /// The profile has no versions of the document, or there is no profile. Sides of one version can be
    /// compared by value; for two versions that needs a profile.
    private func unversioned(_ content: BaseContent, _ record: DocumentRecord) -> AgreedBase {
        let versions = [record.version, record.sides.app.version, record.sides.group.version]
        guard let version = versions.compactMap(\.self).max() else { return .content(content, record) }
        let texts = BothSides { try? JSON(parsing: content.bytes(on: $0), limits: .unbounded) }
        guard let app = texts.app, let group = texts.group, app.isEqual(to: group) else {
            return .newer(version)
        }
        let sides = record.sides.map { SideRecord(digest: $0.digest, signature: $0.signature, version: nil) }
        let read = DocumentRecord(generation: record.generation, version: version, sides: sides)
        return .content(content.restated(as: content.bytes(on: .app)), read)
    }

    /// Whether the record's versions exist in this profile. Otherwise the sides are read again.
    func canRead(_ record: DocumentRecord) -> Bool {
        knows(version: record.sides.app.version) && knows(version: record.sides.group.version)
    }
}

extension BaseContent {
    /// The same base with another newest text. The sides' bytes stay.
    fileprivate func restated(as text: [UInt8]) -> BaseContent {
        let bytes = BothSides { self.bytes(on: $0) }
        return BaseContent(newest: text, sides: bytes.map { $0 == text ? nil : $0 })
    }
}

extension PlanInput {
    /// The input without a base. An unchanged side gets the base's content.
    func withoutBase(_ base: BaseContent) throws(Refusal) -> PlanInput {
        var input = self
        input.record = nil
        for side in Side.allCases {
            guard case .unchanged(let signature) = observed[side], let known = record?.sides[side] else {
                continue
            }
            let bytes = base.bytes(on: side)
            do {
                input.observed[side] = .content(
                    DocumentSnapshot(
                        json: try rule.value(of: bytes, limits: .unbounded),
                        bytes: bytes,
                        digest: known.digest,
                        signature: signature,
                        version: known.version
                    )
                )
            } catch {
                throw Refusal(unreadableBase: error, side)
            }
        }
        return input
    }
}

extension Refusal {
    init(unreadableBase error: JSONError, _ side: Side) {
        self.init(side: side, problem: .untranslatableBase(error))
    }
}
