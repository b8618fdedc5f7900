package import Model
package import Replica
package import StateStore

/// The two containers that are kept in sync: the replicas, and by what each container is known again.
///
/// It owns what tells the pair of them from others, which is not the journal: that may be another one, or
/// older. It owns, too, how the look of their files tells of a change, and the numbers by which the names
/// differ that the bridge gives in them.
package struct ContainerPair {
    package var replicas: BothSides<any Replica>
    private var identities: BothSides<ContainerIdentity> { didSet { id = Self.id(of: identities) } }
    /// By which what was published is known again; `nil` where it can bear no mark.
    package private(set) var id: UInt64?
    private var signatureTrust = SignatureTrust()
    /// Of the names that were given, the last one's.
    private var number: UInt64

    /// `marks`: those that are kept. `number` keeps names apart from those of an earlier run.
    package init(_ replicas: BothSides<any Replica>, marks: BothSides<String?>, number: UInt64) {
        self.replicas = replicas
        self.number = number
        identities = BothSides { ContainerIdentity(mark: marks[$0]) }
        id = Self.id(of: identities)
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

    /// The marks that the journal keeps.
    package static func marks(in journal: any Journal) throws(JournalError) -> BothSides<String?> {
        var marks = BothSides<String?>(app: nil, group: nil)
        for side in Side.allCases {
            let mark = try journal.value(of: key(side))
            marks[side] = mark == "" ? nil : mark
        }
        return marks
    }

    private static func key(_ side: Side) -> String { "container.\(side.rawValue)" }

    /// Why what stands at a container's path is not the container. What is missing from it is no deletion.
    package func loss(of side: Side) -> Halt? { Halt(side, identities[side].standing(of: replicas[side])) }

    /// After a look at everything: the next one goes on with a container that came back as another directory.
    /// Those that have no mark yet are marked. `isReachable`: both were listed.
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
        // With the next look, then: the container bears its mark already.
        do { try journal.record([.value(mark, key: Self.key(side))]) } catch { return }
        identities[side].keep()
    }

    /// As the first look at everything would find them, where nothing is to be written.
    package mutating func readMarks() {
        for side in Side.allCases where identities[side].mark == nil {
            identities[side].read(of: replicas[side])
        }
    }

    /// Once a person has taken what stands there for the container of that side. `gone`: what the journal is
    /// told of with that.
    package mutating func accept(
        _ side: Side,
        telling gone: [JournalEntry],
        to journal: inout JournalBuffer
    ) throws(JournalError) {
        let directories = replicas[side].madeDirectories.map { JournalEntry.removedDirectory(side, $0) }
        try journal.record(directories + gone + [.value("", key: Self.key(side))])
        replicas[side].forgetDirectories()
        identities[side].forget()
    }

    /// Its container bears a mark, kept or not. Without one, neither do its files.
    package func isKnown(_ side: Side) -> Bool { identities[side].known != nil }

    // MARK: Files

    /// What a file that is published bears; `nil` where it can bear no mark.
    package func mark(
        _ kind: PublicationMark.Kind,
        generation: Int64,
        source: Digest?
    ) -> PublicationMark? {
        id.map { PublicationMark(kind, pair: $0, generation: generation, source: source) }
    }

    /// The file whose rights a document takes over; `nil` where there are no files.
    package func model(_ path: RelativePath, on side: Side) -> Location? {
        replicas[side].hasFiles ? Location(side, path) : nil
    }

    package mutating func noteRenamed(_ file: Location) { replicas[of: file].note(unsynced: file.path) }

    /// The signature to remember; `nil` while a change of the file might not show in it.
    package mutating func trusted(_ signature: Signature, of file: Location, at now: Moment) -> Signature? {
        let grain = replicas[of: file].timestampGrain
        return signatureTrust.trusted(signature, of: file, grain: grain, at: now)
    }

    /// How what was published looks since; to remember, if nobody has changed it and a change would show.
    package mutating func signature(
        of staged: Staged,
        at now: Moment
    ) -> (isOwn: Bool, trusted: Signature?) {
        guard let seen = try? replicas[of: staged.target].status(of: staged.target).signature,
            seen.isRenamed(staged.signature)
        else { return (false, nil) }
        return (true, trusted(seen, of: staged.target, at: now))
    }

    /// What is gone looks like nothing.
    package mutating func forgetSignature(of file: Location) { signatureTrust.forget(file) }
}

extension Halt {
    /// `nil` where the container stands there.
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
