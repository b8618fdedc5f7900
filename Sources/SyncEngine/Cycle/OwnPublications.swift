import Documents
import Model
import Replica
import StateStore

/// Recognizes the bridge's own publications that the journal does not have: it could not be written, or was
/// restored from a backup.
///
/// A publication must not be taken for a program's edit: it would conflict with later saves on the other
/// side. The mark also has the digest of the other side's content; without it, half of a merge that a killed
/// run left would look like a base of both sides.
extension Engine {
    /// Adds what the marks show beyond the record.
    ///
    /// A mark that is no newer than the record is ignored: a program restored an older copy of the document,
    /// which is an edit.
    func recognized(_ input: PlanInput) throws(BaseFailure) -> PlanInput {
        let marks = BothSides { side in
            input.snapshot(side)?.mark.flatMap { $0.kind == .view ? nil : $0 }
        }
        guard marks.app != nil || marks.group != nil else { return input }
        let known = try lastGeneration(of: input)
        let newer = marks.map { mark in mark.flatMap { $0.generation > known ? $0 : nil } }
        var input = input
        input.published = max(newer.app?.generation ?? 0, newer.group?.generation ?? 0)
        guard input.known.app == nil, input.known.group == nil,
            let side = input.unedited(by: newer, in: replicas)
        else { return input }
        return try input.agreed(on: side) { () throws(BaseFailure) in try base(of: input.document) }
    }

    private func lastGeneration(of input: PlanInput) throws(BaseFailure) -> Int64 {
        if let record = input.record { return record.generation }
        do throws(JournalError) {
            return try journal.lastGenerations(of: [input.document])[input.document] ?? 0
        } catch {
            throw .journal(error)
        }
    }
}

extension PlanInput {
    /// The side that no program has changed since the bridge published it, or since the bridge published its
    /// change on the other side. `nil` if unknown.
    ///
    /// A mark proves nothing about a content that was read before another bridge published: that one is being
    /// changed.
    fileprivate mutating func unedited(
        by marks: BothSides<PublicationMark?>,
        in replicas: BothSides<any Replica>
    ) -> Side? {
        let side = unedited(by: marks)
        guard let side, let other = snapshot(side.other) else { return side }
        let current = try? replicas[side.other].signature(of: document, isKnown: record != nil)
        if current == other.signature { return side }
        observed[side.other] = .problem(.changing)
        return nil
    }

    private func unedited(by marks: BothSides<PublicationMark?>) -> Side? {
        if let side = Side.allCases.first(where: { isDeleted(beside: $0, marks[$0]) }) { return side }
        // Equal contents are adopted as the base.
        guard let app = snapshot(.app), let group = snapshot(.group), app.digest != group.digest else {
            return nil
        }
        if let one = marks.app, let other = marks.group {
            if one.generation == other.generation { return nil }
            return one.generation < other.generation ? .app : .group
        }
        guard let side = Side.allCases.first(where: { marks[$0] != nil }), let mark = marks[side],
            let other = snapshot(side.other)
        else { return nil }
        if mark.isSource(other.digest) { return side.other }
        switch mark.kind {
        case .carried: return side
        // The app's side is written first, so the group's side has the merge only if both have.
        case .merged: return side == Side.allCases.last ? side : nil
        case .view: return nil
        }
    }

    /// Whether the other side had the document when the bridge brought it to this one, in the first
    /// publication that the record lacks, and has it no more: a program deleted it. Otherwise a missing
    /// document must not count as deleted: the journal may be an old copy, or a new one.
    private func isDeleted(beside side: Side, _ mark: PublicationMark?) -> Bool {
        guard let mark, mark.kind == .carried, let record,
            case .absent = observed[side.other]
        else { return false }
        return mark.generation == record.generation + 1
    }

    /// As if that side's content had just become the base. Unchanged if that is impossible, for example if
    /// the content violates its schema.
    func agreed<Failure: Error>(
        on side: Side,
        base: () throws(Failure) -> BaseContent?
    ) throws(Failure) -> PlanInput {
        guard let snapshot = snapshot(side) else { return self }
        var before = self
        if let other = self.snapshot(side.other) {
            before.observed[side.other] = record == nil ? .absent : .unchanged(other.signature)
        }
        guard case .content(let agreed) = try plan(before, base: base).agreement,
            agreed.content.bytes(on: side) == snapshot.bytes
        else { return self }
        var input = self
        input.unedited = side
        input.base = agreed.content
        input.record = DocumentRecord(
            generation: record?.generation ?? 0,
            version: rule.newest,
            sides: BothSides { one in
                SideRecord(
                    digest: one == side ? snapshot.digest : Digest(of: agreed.content.bytes(on: one)),
                    signature: nil,
                    version: agreed.versions[one]
                )
            }
        )
        return input
    }
}
