package import Documents
package import Model
package import StateStore

/// The input of a plan for one document. No clock, no disk.
package struct PlanInput: Sendable {
    package var document: RelativePath
    package var rule: DocumentRule
    package var record: DocumentRecord?
    package var observed: BothSides<Observation>
    /// The version that each side is pinned to.
    package var pinned: BothSides<Int?>
    package var limits: JSONLimits
    /// The base of a side's save, if its program has not read the newest base.
    package var known: BothSides<WriterBase?>
    /// This side has the bridge's own publication, or its change was published on the other side; the record
    /// and `base` are from the marks, not from the journal.
    var unedited: Side?
    var base: BaseContent?
    /// The highest generation that the bridge published here and the journal does not have.
    var published: Int64 = 0
    /// Both containers have hard links to one file.
    var isOneFile = false

    /// In the version that the side had then.
    package struct WriterBase: Sendable {
        /// What its program had last read or saved.
        package var bytes: [UInt8]
        /// The contents published there since the base, if any.
        package var published: [UInt8]?
        /// Earlier saves of the program that it may include.
        package var own: [OwnSave]
        /// What its program had last saved, with its conflicts settled, in the newest version; `nil` if that
        /// is the same.
        package var settled: [UInt8]?

        package init(
            bytes: [UInt8],
            published: [UInt8]? = nil,
            own: [OwnSave] = [],
            settled: [UInt8]? = nil
        ) {
            self.bytes = bytes
            self.published = published
            self.own = own
            self.settled = settled
        }
    }

    package init(
        document: RelativePath,
        rule: DocumentRule,
        record: DocumentRecord?,
        observed: BothSides<Observation>,
        pinned: BothSides<Int?>,
        limits: JSONLimits,
        known: BothSides<WriterBase?> = BothSides(app: nil, group: nil)
    ) {
        self.document = document
        self.rule = rule
        self.record = record
        self.observed = observed
        self.pinned = pinned
        self.limits = limits
        self.known = known
    }
}

/// What to do with one document.
package struct Plan: Sendable {
    package enum Write: Sendable {
        case content([UInt8])
        case remove
    }

    /// The base after the plan is carried out.
    package enum Agreement: Sendable {
        /// As before; a signature may have changed.
        case same
        case content(Agreed)
        case absent
        /// No base: the document is held.
        case none
    }

    package struct Agreed: Sendable {
        /// The newest content, and each side's bytes.
        package var content: BaseContent
        package var versions: BothSides<Int?>
    }

    /// `nil`: nothing to do or to report.
    package var change: PlannedChange?
    package var writes: BothSides<Write?> = BothSides(app: nil, group: nil)
    package var agreement: Agreement
    package var cause: Cause = .app
    package var problem: (side: Side, Problem)?
    package var conflicts: [MergeConflict] = []
    /// The contents to store as conflict copies.
    package var conflictCopies: [[UInt8]] = []
    /// The sides' saves with their conflicts settled, where that differs.
    package var settled: BothSides<[UInt8]?> = BothSides(app: nil, group: nil)

    package var isHold: Bool { problem != nil }

    static let settled = Plan(change: nil, agreement: .same)

    static func gone(_ document: RelativePath) -> Plan {
        let change = PlannedChange(
            document: document.description,
            action: .adopt,
            from: nil,
            .gone
        )
        return Plan(change: change, agreement: .absent)
    }

    static func hold(_ document: RelativePath, _ side: Side, _ problem: Problem) -> Plan {
        Plan(
            change: PlannedChange(
                document: document.description,
                action: .hold,
                from: side,
                reason: .held(side, problem)
            ),
            agreement: .none,
            problem: (side, problem)
        )
    }
}

/// Plans one document. Pure: the agent, a dry run and the race lab all call this function.
///
/// `base` returns the base's content; it is called only if digests do not decide.
package func plan<Failure: Error>(
    _ input: PlanInput,
    base: () throws(Failure) -> BaseContent?
) throws(Failure) -> Plan {
    let plan = try planned(input, base: base)
    return input.isOneFile ? try plan.parting(input, base: base) : plan
}

private func planned<Failure: Error>(
    _ input: PlanInput,
    base: () throws(Failure) -> BaseContent?
) throws(Failure) -> Plan {
    for side in Side.allCases {
        if case .problem(let problem) = input.observed[side] { return .hold(input.document, side, problem) }
    }
    // What is invalid there is replaced.
    for side in Side.allCases where side != input.source?.other {
        if let problem = input.invalidity(side) { return .hold(input.document, side, problem) }
    }
    let versions = Versions(input)
    let changed = BothSides { side in input.hasChanged(side) }
    if !changed.app, !changed.group, !versions.restates { return .settled }
    if input.isAbsent(.app), input.isAbsent(.group) { return .gone(input.document) }
    if let source = input.source, input.record == nil, input.isAbsent(source) {
        return .hold(input.document, source.other, .onlyHere(source.other))
    }
    let isOneWay = input.source.map { !changed[$0.other] } ?? true
    if isOneWay, !input.mayHaveMoreThanEdits, let plan = versions.carriedAsItIs(changed) { return plan }
    let content = try base()
    do throws(Refusal) {
        let (input, base) = try input.comparable(with: content)
        return try Decision(input, base: base).plan()
    } catch {
        return .hold(input.document, error.side, error.problem)
    }
}

extension PlanInput {
    /// The only side whose changes are synced; `nil`: both.
    var source: Side? { rule.direction.source.map { Side($0) } }

    /// Whether a save may differ from what its program edited since the base.
    fileprivate var mayHaveMoreThanEdits: Bool {
        record != nil
            && Side.allCases.contains { side in
                snapshot(side).map { SideEdits.mayBeLess(than: $0.json, of: side.container, rule) } ?? false
            }
    }

    /// `nil`: what was synced last.
    var groupContent: GroupContent? { observed.group.groupContent(record) }

    /// Compared with the base byte for byte; without a base, a document that exists has changed.
    package func hasChanged(_ side: Side) -> Bool {
        switch observed[side] {
        case .absent: record != nil
        case .unchanged: false
        case .content: side != unedited
        case .problem: true
        }
    }

    /// Translates the base for the current profile. If that is impossible, the base is lost: both sides are
    /// merged and nothing is deleted. A base of a newer profile stays, and so do both sides.
    fileprivate func comparable(with content: BaseContent?) throws(Refusal) -> (PlanInput, BaseContent?) {
        guard let content, let record else { return (self, nil) }
        switch rule.agreed(content, record) {
        case .content(let base, let record):
            var input = self
            input.record = record
            return (input, base)
        case .lost: return (try withoutBase(content), nil)
        case .newer(let version):
            // Without versions, equal sides need no base.
            if rule.newest == nil, let app = snapshot(.app), app.digest == snapshot(.group)?.digest {
                return (try withoutBase(content), nil)
            }
            let side = Side.allCases.first { hasChanged($0) } ?? .app
            throw Refusal(side: side, problem: .newerBase(version, known: rule.newest))
        }
    }

    package func snapshot(_ side: Side) -> DocumentSnapshot? {
        if case .content(let snapshot) = observed[side] { snapshot } else { nil }
    }
}

/// A document that cannot be translated or merged.
struct Refusal: Error {
    var side: Side
    var problem: Problem
}
