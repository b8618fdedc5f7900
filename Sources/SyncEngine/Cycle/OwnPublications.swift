import Documents
import Model
import Replica
import StateStore

/// The bridge's own publications, known for what they are although the journal does not know them: it could
/// not be written when they were made, or was restored from a copy.
///
/// What the bridge has published is no program's edit. Taken for one, it would contradict what the other
/// side's program has saved since. A mark says what the other side held then, too: without that, half of a
/// merge that a killed run has left would look as if both sides had agreed on it.
extension Engine {
    /// With what the marks tell that the record does not.
    ///
    /// One that is no newer than the record is an edit like any other: somebody has brought an older copy of
    /// the document back.
    func recognized(_ input: PlanInput) throws(BaseFailure) -> PlanInput {
        let marks = BothSides { side in
            input.snapshot(side)?.mark.flatMap { $0.kind == .view ? nil : $0 }
        }
        guard marks.app != nil || marks.group != nil else { return input }
        let known = try lastGeneration(of: input)
        let newer = marks.map { mark in mark.flatMap { $0.generation > known ? $0 : nil } }
        var input = input
        input.published = max(newer.app?.generation ?? 0, newer.group?.generation ?? 0)
        guard input.known.app == nil, input.known.group == nil, let side = input.unedited(by: newer) else {
            return input
        }
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
    /// The side whose program has done nothing since the bridge published there, or since the bridge
    /// published on the other side what was made of it. `nil` where that cannot be told.
    fileprivate func unedited(by marks: BothSides<PublicationMark?>) -> Side? {
        // What is equal is adopted as it is; and what is gone must not be taken for deleted.
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
        // Both are written to in one order, and the second only once the first was.
        case .merged: return side == Side.allCases.last ? side : nil
        case .view: return nil
        }
    }

    /// As if what that side holds had just been agreed on. The same as it is where that cannot be: what it
    /// holds breaks its schema, say.
    fileprivate func agreed<Failure: Error>(
        on side: Side,
        base: () throws(Failure) -> BaseContent?
    ) throws(Failure) -> PlanInput {
        guard let snapshot = snapshot(side), let other = self.snapshot(side.other) else { return self }
        var before = self
        before.observed[side.other] = record == nil ? .absent : .unchanged(other.signature)
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
