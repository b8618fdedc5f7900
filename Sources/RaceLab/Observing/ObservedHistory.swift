package import Documents
package import Model

/// A reload of a content that was not seen yet.
private struct Pending {
    var step: Int
    var document: Int
    var digest: Digest
    /// The content of the group's side at that time.
    var instead: Int
}

/// A history of two containers that were observed from outside.
///
/// The writers are unknown: a change belongs to the lane of the side that it was seen on.
package struct ObservedHistory {
    /// The indices in `History.lanes`.
    enum Lane: Int, CaseIterable {
        /// The writers of a side.
        case app, group
        /// The observer, which reads like a widget.
        case reader
        /// The program that gets the notices.
        case widget
        /// The program that sends the notices.
        case bridge
    }

    let table = VersionTable()
    var history = History()
    /// What is known beside it.
    package var evidence = Evidence()
    /// Lines of programs about contents that were never there.
    var unfounded: [ObservationDoubt] = []
    var unfoundedCount = 0
    /// Saves that were reported, and are not judged before the end.
    var unseen: [UnseenSave] = []
    var reportedReads: [ReportedRead] = []
    var reportedSaves: [ReportedSave] = []
    var numbers: [RelativePath: Int] = [:]
    /// The documents that the last call may have changed, and have not been seen to change since.
    var lastCall: LastCall?
    /// The documents of which calls do not show who changes them.
    var unreported: Set<Location> = []
    var openings = Openings()
    var readParts = ReadParts()
    /// The files that were locked after each change.
    var locks: [Int: Set<UInt64>] = [:]
    private(set) var holding: [BothSides<Int>] = []
    private var hasHeld: [Set<Int>] = []
    /// A subscriber is there, which knows that a new document was not there before.
    private var isHeard = false
    private var pending: [Pending] = []
    /// The time of the last change that was seen.
    package private(set) var lastChange = Duration.zero
    package private(set) var changes = 0
    /// The group has never had a document, so there is nothing to notify a subscriber of.
    var isGroupEmpty: Bool { hasHeld.allSatisfy { $0.subtracting([History.absent]).isEmpty } }
    /// Reloads of contents that were overwritten before they could be read, and are not checked.
    package private(set) var unseenReloads = 0
    package private(set) var contentBytes = 0

    package init() {
        history.lanes = Lane.allCases.map { lane in
            switch lane {
            case .app: History.Lane(name: "app", kind: .app, side: .app, about: "programs in app")
            case .group:
                History.Lane(name: "group", kind: .widget, side: .group, about: "programs in group")
            case .reader: History.Lane(name: "reader", kind: .widget, side: .group, about: "the lab's reads")
            case .widget: History.Lane(name: "widget", kind: .widget, side: .group, about: "gets notices")
            case .bridge: History.Lane(name: "bridge", kind: .agent, side: .group, about: "app and group")
            }
        }
    }

    package var documents: [RelativePath] { history.documents }
    package var steps: Int { history.steps.count }

    // MARK: Changes

    /// The initial contents.
    package mutating func begin(_ path: RelativePath, _ contents: BothSides<[UInt8]?>) {
        let document = number(of: path)
        holding[document] = contents.map { table.number(of: $0) }
        history.start[document] = holding[document]
        hasHeld[document] = [holding[document].group]
    }

    /// - Parameters:
    ///   - isUnfinished: a program had it open for writing then; `nil`: unknown.
    ///   - isRenamed: it came by a rename, and was not written to since.
    ///   - isDeleted: it was deleted, not given another name.
    ///   - isMoved: it was given another name.
    ///   - isOfWaiting: the program of that side waited at a gate of its own, or was over.
    package mutating func saw(
        _ path: RelativePath,
        _ side: Side,
        _ bytes: [UInt8]?,
        isUnfinished: Bool? = false,
        isRenamed: Bool = false,
        isDeleted: Bool = false,
        isMoved: Bool = false,
        isOfWaiting: Bool = false,
        at time: Duration
    ) {
        if isHeard, numbers[path] == nil { subscribed(number(of: path), at: time) }
        let document = number(of: path)
        let (version, place) = (table.number(of: bytes), Location(side, path))
        if let call = lastCall?.sees(place, isChanged: version != holding[document][side]),
            !unreported.contains(place)
        {
            evidence.writers[history.steps.count] = call
        }
        if version != holding[document][side] {
            if evidence.seesCalls, evidence.writers[history.steps.count] == nil, !unreported.contains(place) {
                evidence.ungated.append(history.steps.count)
            }
            if isUnfinished == true { evidence.unfinished.insert(history.steps.count) }
            if isUnfinished == nil { evidence.maybeUnfinished.insert(history.steps.count) }
            if isRenamed { evidence.renamed.insert(history.steps.count) }
            if isRenamed || bytes == nil || isOfRename { openings.lose(place, holding[document][side]) }
            if isMoved { evidence.moved.insert(history.steps.count) }
            if isDeleted { evidence.deleted.insert(history.steps.count) }
            if isOfWaiting { evidence.waiting.insert(history.steps.count) }
            changed(document, side, version, at: time)
            contentBytes += bytes?.count ?? 0
        }
        var step = Step(.read, Lane.reader.rawValue, time)
        step.document = document
        step.side = side
        step.version = version
        history.steps.append(step)
    }

    /// A program wrote into a file of the document whose name another one had taken.
    mutating func wroteReplaced(_ path: RelativePath, _ side: Side) {
        evidence.replacedWrites.append(
            Evidence.ReplacedWrite(document: number(of: path), side: side, number: history.steps.count)
        )
    }

    /// Another file has the document's name, or it was written to, and has the same content.
    mutating func rewrote(_ path: RelativePath, _ side: Side, isOfWaiting: Bool, at time: Duration) {
        let document = number(of: path)
        if let call = lastCall, call.touches(Location(side, path)) {
            evidence.rewriters[history.steps.count] = call.number
        }
        if isOfWaiting { evidence.waiting.insert(history.steps.count) }
        var step = Step(.rewritten, Lane(side).rawValue, time)
        step.document = document
        step.side = side
        step.version = holding[document][side]
        history.steps.append(step)
        lastChange = time
    }

    package mutating func cannotRead(_ path: RelativePath) { evidence.unread.insert(number(of: path)) }

    /// Whether that side had something else when it was last read.
    package func isNew(_ path: RelativePath, _ side: Side, _ bytes: [UInt8]?) -> Bool {
        guard let document = numbers[path] else { return true }
        let held = table[holding[document][side]]
        return bytes != (holding[document][side] == History.absent ? nil : held.bytes)
    }

    /// The events of an exchange of two files do not show which name each one has in the end; its call does.
    private var isOfRename: Bool {
        evidence.writers[history.steps.count].map { evidence.calls[$0].step.call.kind == .rename } ?? false
    }

    mutating func number(of path: RelativePath) -> Int {
        if let number = numbers[path] { return number }
        let number = history.documents.count
        numbers[path] = number
        history.documents.append(path)
        let nothing = BothSides(app: History.absent, group: History.absent)
        history.start.append(nothing)
        holding.append(nothing)
        hasHeld.append([History.absent])
        return number
    }

    private mutating func changed(_ document: Int, _ side: Side, _ version: Int, at time: Duration) {
        let lane = side == .app ? Lane.app : .group
        var step = Step(.changed, lane.rawValue, time)
        step.document = document
        step.side = side
        step.before = holding[document][side]
        step.version = version
        if version != History.absent, table[version].isReadable {
            step.call = history.calls.count
            history.calls.append(save(step, history.steps.count))
        }
        history.steps.append(step)
        if side == .group {
            settle(document, version)
            hasHeld[document].insert(version)
        }
        holding[document][side] = version
        lastChange = time
        changes += 1
    }

    /// A complete content, which a program saved.
    func save(_ step: Step, _ number: Int) -> Call {
        var call = Call(
            lane: step.lane,
            name: .operation(.write),
            document: step.document,
            side: step.side,
            first: number,
            began: step.time
        )
        call.intends = step.version
        call.last = number
        call.ended = step.time
        call.result = .done
        return call
    }

    // MARK: Reloads

    /// A subscriber connects, and knows the current state.
    package mutating func listens(at time: Duration) {
        isHeard = true
        for document in history.documents.indices { subscribed(document, at: time) }
    }

    private mutating func subscribed(_ document: Int, at time: Duration) {
        var step = Step(.subscribed, Lane.widget.rawValue, time)
        step.document = document
        step.side = .group
        step.version = holding[document].group
        history.steps.append(step)
    }

    /// - Parameter since: when it was not there yet.
    package mutating func addNotice(_ line: ReloadLine, since: Duration? = nil, at time: Duration) {
        let isNew = numbers[line.document] == nil
        let document = number(of: line.document)
        if line.isCurrent || isNew { subscribed(document, at: time) }
        guard !line.isCurrent else { return }
        var step = Step(.notified, Lane.bridge.rawValue, time)
        step.document = document
        step.side = .group
        step.generation = line.generation ?? Int64(history.steps.count)
        step.kind = kind(line.kind)
        switch line.content {
        case .whatever:
            step.version = holding[document].group
            evidence.guessed[history.steps.count] = (since ?? time)...time
        case .nothing: step.version = History.absent
        case .hash(let digest): step.version = table.number(of: digest)
        }
        if case .hash(let digest) = line.content,
            step.version.map({ !hasHeld[document].contains($0) }) ?? true
        {
            let instead = holding[document].group
            let number = history.steps.count
            pending.append(Pending(step: number, document: document, digest: digest, instead: instead))
        }
        evidence.sent[history.steps.count] = line.sentAt.map { $0...$0 } ?? (since ?? time)...time
        history.steps.append(step)
    }

    private mutating func kind(_ name: String) -> Int {
        if let number = history.kinds.firstIndex(of: name) { return number }
        history.kinds.append(name)
        return history.kinds.count - 1
    }

    /// The group's side changed: an earlier reload either came too early, or was about a content that was not
    /// seen.
    private mutating func settle(_ document: Int, _ version: Int) {
        for one in pending where one.document == document {
            let isEarly = one.instead == holding[document].group && table[version].digest == one.digest
            if isEarly { history.steps[one.step].version = version } else { dismiss(one) }
        }
        pending.removeAll { $0.document == document }
    }

    private mutating func dismiss(_ one: Pending) {
        history.steps[one.step].what = .called
        history.steps[one.step].version = nil
        unseenReloads += 1
    }

    // MARK: End

    /// What the bridge keeps at the end; `nil`: unknown.
    mutating func keep(copies: [[UInt8]]?, trash: [[UInt8]]?) {
        history.copies = copies?.map { table.number(of: $0) }
        history.trash = trash?.map { table.number(of: $0) }
    }

    /// - Parameters:
    ///   - isAtRest: nothing has changed for so long that no further change is expected.
    ///   - rule: the rule of a document, if there is a profile.
    package mutating func finish(
        isAtRest: Bool,
        hasProfile: Bool,
        rule: (RelativePath) -> DocumentRule?
    ) -> History {
        for one in pending { dismiss(one) }
        pending = []
        settleLastCall()
        settleUnseenSaves()
        settleSaves()
        settleReads()
        history.versions = table.versions
        // The initial contents are accepted as they are.
        for each in history.start {
            for side in Side.allCases { history.versions[each[side]].isReadable = true }
        }
        history.hasWidgetKinds = hasProfile
        guard isAtRest else { return history }
        var rest = Rest()
        rest.versions = holding
        for document in history.documents.indices {
            if let reason = difference(document, rule) {
                rest.differences.append(Rest.Difference(document: document, reason: reason))
            }
        }
        history.rest = rest
        return history
    }

    /// Whether the sides of any document differ by value.
    package func isDivided(_ rule: (RelativePath) -> DocumentRule?) -> Bool {
        history.documents.indices.contains { difference($0, rule) != nil }
    }

    private func difference(_ document: Int, _ rule: (RelativePath) -> DocumentRule?) -> Inequality? {
        let versions = holding[document]
        if evidence.unread.contains(document) { return nil }
        return whyUnequal(versions, table.versions, rule(history.documents[document]))
    }
}
