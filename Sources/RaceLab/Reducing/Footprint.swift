import Model

/// What a step reads and changes of what several actors share, as bits.
///
/// Steps of different actors commute if neither changes what the other reads or changes: in either order
/// they do and see the same, leave the same behind, and no checker can determine which came first. Where that
/// is in doubt, a step is a fence, which commutes with none.
struct Footprint: Sendable, Hashable {
    /// One or several shared things.
    struct Things: OptionSet, Sendable, Hashable {
        let rawValue: UInt64

        /// Documents beyond have no bit.
        static var mostDocuments: Int { 12 }

        /// A document on one side: its name and content, the programs that have it open, and its events.
        static func file(_ document: Int, _ side: Side) -> Things {
            Things(rawValue: 1 << UInt64(document * 2 + (side == .app ? 0 : 1)))
        }

        /// A document on both sides.
        static func document(_ number: Int) -> Things { [file(number, .app), file(number, .group)] }

        /// The other files of a container: the bridge's temporary files, and documents that it displaced, to
        /// which a program may still write.
        static func others(_ side: Side) -> Things { Things(rawValue: 1 << (side == .app ? 32 : 33)) }

        /// All files of a container, and their names.
        static func container(_ side: Side) -> Things {
            Things(rawValue: 0x55_5555 << (side == .app ? 0 : 1)).union(others(side))
        }

        /// The order of what programs read and save of a document, on either side: checkers compare it. Some
        /// documents have a bit together.
        static func programs(_ document: Int) -> Things { Things(rawValue: 1 << UInt64(24 + document % 8)) }
        /// The same of all documents.
        static let programs = Things(rawValue: 0xFF << 24)
        /// The order of access events of different documents, and of those of one.
        static let events = Things(rawValue: 1 << 35)
        static func events(_ document: Int, _ side: Side) -> Things {
            Things(rawValue: file(document, side).rawValue << 37)
        }
        /// The bridge's state directory, where displaced documents end up.
        static let state = Things(rawValue: 1 << 36)
        /// Every step reads this one, and a fence changes it.
        static let world = Things(rawValue: 1 << 63)
        static let everything = Things(rawValue: .max)
    }

    private(set) var reads: Things = .world
    private(set) var writes: Things = []

    mutating func read(_ things: Things) { reads.formUnion(things) }
    mutating func write(_ things: Things) { writes.formUnion(things) }
    mutating func fence() { writes = .everything }

    mutating func formUnion(_ other: Footprint) {
        reads.formUnion(other.reads)
        writes.formUnion(other.writes)
    }

    func commutes(with other: Footprint) -> Bool {
        writes.isDisjoint(with: other.reads.union(other.writes)) && reads.isDisjoint(with: other.writes)
    }
}

extension Footprint {
    /// Whether steps whose footprints do not meet commute.
    ///
    /// Not with several bridges, whose steps may depend on each other in ways that no footprint shows; not if
    /// it matters in which order files got inode numbers, or where the ticks of a coarse clock fall; not if
    /// random faults follow the order of all calls, or a power cut the order of all changes. What code does
    /// next is not known before it asks for it.
    static func isExact(for scenario: Scenario) -> Bool {
        let (machine, engine) = (scenario.machine, scenario.engine)
        let operations = scenario.actors.flatMap(\.operations)
        return scenario.actors.count { $0.kind == .agent } == 1
            && scenario.documents.count <= Things.mostDocuments
            && !scenario.hasCode
            && machine.grain == .zero && machine.faults == 0
            && engine != .trustsInodes && engine != .trustsCoarseTimes
            && !operations.contains { $0.verb == .cutPower }
    }

    /// Adds a step of a program's operation.
    ///
    /// - Parameter isAtRest: the bridge is idle. A save of any document ends the time in which no program may
    ///   read an old state of any other.
    mutating func add(_ verb: Operation.Verb, phase: Int, of document: Int, on side: Side, isAtRest: Bool) {
        let file = Things.file(document, side)
        let programs = isAtRest ? Things.programs : .programs(document)
        switch verb {
        case .read, .readOnNotice, .until:
            read(file)
            read(.programs(document))
        // What a subscriber knows at first changes in steps of the bridge that commute with none.
        case .subscribe, .ifHolds: break
        case .truncateAndWrite, .writeInPlace:
            // The bridge may have displaced the file that the program has open.
            write([file, .others(side), .state])
            write(programs)
        // The request makes the bridge ready.
        case .edit where phase > 0: fence()
        case .edit, .readModifyWrite, .write, .writeFromMemory, .unlinkAndWrite, .migrate, .delete:
            write(file)
            write(programs)
        case .wait, .tap, .takeTaps, .anything, .crash, .cutPower, .putClockBack: fence()
        }
    }
}
