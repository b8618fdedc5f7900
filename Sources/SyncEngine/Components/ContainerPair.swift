package import Model
package import Replica
package import StateStore

/// The two containers in sync: their replicas and identities.
///
/// It keeps the pair's identity, which is independent of the journal, as that may be new or restored from a
/// backup. It also keeps when the signatures of files can be trusted, and the numbers for unique temporary
/// names.
package struct ContainerPair {
    package var replicas: BothSides<any Replica>
    private var identities: BothSides<ContainerIdentity> { didSet { id = Self.id(of: identities) } }
    /// Identifies the bridge's own publications; `nil` where files cannot have publication marks.
    package private(set) var id: UInt64?
    private var signatureTrust = SignatureTrust()
    /// The number of the last temporary name.
    private var number: UInt64

    /// `marks`: the recorded container IDs. `number` keeps names distinct from those of earlier runs.
    package init(_ replicas: BothSides<any Replica>, marks: BothSides<String?>, number: UInt64) {
        self.replicas = replicas
        self.number = number
        identities = BothSides { ContainerIdentity(mark: marks[$0]) }
        id = Self.id(of: identities)
    }

    /// Tells the replicas the bases of their composed documents.
    mutating func remember(_ records: DocumentTable, of journal: JournalBuffer) throws(JournalError) {
        for side in Side.allCases {
            for path in replicas[side].composed where records[path] != nil {
                guard let base = try journal.content(of: path) else { continue }
                replicas[side].remember(base.bytes(on: side), of: path)
            }
        }
    }

    private static func id(of identities: BothSides<ContainerIdentity>) -> UInt64? {
        let known = identities.map { $0.known ?? "" }
        if (known.app + known.group).isEmpty { return nil }
        return Digest(of: Array("\(known.app)\n\(known.group)".utf8)).start
    }

    package mutating func nextNumber() -> UInt64 {
        number += 1
        return number
    }

    // MARK: Identity

    /// The container IDs in the journal.
    package static func marks(in journal: any Journal) throws(JournalError) -> BothSides<String?> {
        var marks = BothSides<String?>(app: nil, group: nil)
        for side in Side.allCases {
            let mark = try journal.value(of: key(side))
            marks[side] = mark == "" ? nil : mark
        }
        return marks
    }

    private static func key(_ side: Side) -> String { "container.\(side.rawValue)" }

    /// Why the directory at a container's path is not the container. Documents missing from it are not
    /// deleted.
    package func loss(of side: Side) -> Halt? {
        let halt = Halt(side, identities[side].standing(of: replicas[side]))
        guard let stranger = halt?.stranger, let other = identities[side.other].mark,
            (try? replicas[side].mark()) == other
        else { return halt }
        return Halt(side: side, reason: .swapped(stranger))
    }

    /// After a full scan: the next one continues with a container that came back as another directory.
    /// Containers without an ID get one. `isReachable`: both were listed.
    package mutating func recognize(isReachable: Bool, in journal: inout JournalBuffer) {
        for side in Side.allCases {
            if isReachable {
                if identities[side].mark == nil { mark(side, in: &journal) }
            } else if identities[side].standing(of: replicas[side]) == .returned {
                try? replicas[side].reopen()
            }
        }
    }

    private mutating func mark(_ side: Side, in journal: inout JournalBuffer) {
        if identities[side].isUnmarked(replicas[side]) {
            replicas[side].bear("\(journal.instance)-\(nextNumber())")
        }
        guard let mark = identities[side].read(of: replicas[side]) else { return }
        // Retried at the next scan: the container has its ID already.
        do { try journal.record([.value(mark, key: Self.key(side))]) } catch { return }
        identities[side].keep()
    }

    /// Reads the container IDs as the first scan does, without writing anything.
    package mutating func readMarks() {
        for side in Side.allCases where identities[side].mark == nil {
            identities[side].read(of: replicas[side])
        }
    }

    /// A person accepted the current directory as the container of that side. `gone`: entries to record in
    /// the same transaction.
    package mutating func accept(
        _ side: Side,
        recording gone: [JournalEntry],
        to journal: inout JournalBuffer
    ) throws(JournalError) {
        let directories = replicas[side].madeDirectories.map { JournalEntry.removedDirectory(side, $0) }
        try journal.record(directories + gone + [.value("", key: Self.key(side))])
        replicas[side].forgetDirectories()
        identities[side].forget()
    }

    /// Whether its container has an ID, recorded or not. Without one, its files have no publication marks
    /// either.
    package func isKnown(_ side: Side) -> Bool { identities[side].known != nil }

    // MARK: Files

    /// The publication mark for a file; `nil` where files cannot have one.
    package func mark(
        _ kind: PublicationMark.Kind,
        generation: Int64,
        source: Digest?
    ) -> PublicationMark? {
        id.map { PublicationMark(kind, pair: $0, generation: generation, source: source) }
    }

    /// The file whose rights a document takes over; `nil` if the replicas are not files.
    package func model(_ path: RelativePath, on side: Side) -> Location? {
        replicas[side].hasFiles ? Location(side, path) : nil
    }

    package mutating func recordRename(_ file: Location) { replicas[of: file].remember(unsynced: file.path) }

    /// The signature to remember; `nil` while a change of the file might not alter it.
    package mutating func trusted(_ signature: Signature, of file: Location, at now: Moment) -> Signature? {
        let grain = replicas[of: file].timestampGrain
        return signatureTrust.trusted(signature, of: file, grain: grain, at: now)
    }

    /// The signature of a published file, if the file is unchanged and a change would alter it.
    package mutating func signature(
        of staged: Staged,
        at now: Moment
    ) -> (isOwn: Bool, trusted: Signature?) {
        guard let seen = try? replicas[of: staged.target].status(of: staged.target).signature,
            replicas[of: staged.target].isUnchanged(seen, since: staged)
        else { return (false, nil) }
        return (true, trusted(seen, of: staged.target, at: now))
    }

    /// A missing file has no signature.
    package mutating func forgetSignature(of file: Location) { signatureTrust.forget(file) }
}

extension Halt {
    /// `nil` if the container itself is there.
    fileprivate init?(_ side: Side, _ standing: ReplicaStanding) {
        let reason: Reason
        switch standing {
        case .same: return nil
        case .returned: reason = .returned
        case .other: reason = .isOther
        case .stranger(let words): reason = .replaced(by: words)
        case .unmarked(let words): reason = .unmarked(words)
        case .gone: reason = .gone
        case .unreachable(let error): reason = .unreachable(error)
        }
        self.init(side: side, reason: reason)
    }
}
