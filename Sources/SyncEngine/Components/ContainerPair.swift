package import Model

/// The two containers that are kept in sync, and what tells the pair of them from others: not the journal,
/// which may be another one, or older.
package struct ContainerPair: Sendable {
    private var containers: BothSides<ContainerIdentity> { didSet { id = Self.id(of: containers) } }
    /// By which what was published is known again; `nil` where it can bear no mark.
    package private(set) var id: UInt64?

    /// `marks`: those that are kept.
    package init(marks: BothSides<String?>) {
        containers = BothSides { ContainerIdentity(mark: marks[$0]) }
        id = Self.id(of: containers)
    }

    private static func id(of containers: BothSides<ContainerIdentity>) -> UInt64? {
        let known = containers.map { $0.known ?? "" }
        if (known.app + known.group).isEmpty { return nil }
        return Digest(of: Array("\(known.app)\n\(known.group)".utf8)).start
    }

    package subscript(side: Side) -> ContainerIdentity {
        get { containers[side] }
        set { containers[side] = newValue }
    }
}
