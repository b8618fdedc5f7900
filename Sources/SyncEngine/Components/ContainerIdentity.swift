import Model
package import Replica

/// The identity of one side's container: its container ID.
///
/// It keeps the recorded ID, and one that was found but not recorded yet. It needs only the replica; the
/// caller records the ID.
package struct ContainerIdentity: Sendable {
    /// The container ID that is recorded in the journal.
    package private(set) var mark: String?
    /// The container ID that was found, but not recorded yet.
    private var borne: String?

    package init(mark: String? = nil) { self.mark = mark }

    /// The container ID, recorded or not. Without one, its files have no publication marks either.
    package var known: String? { mark ?? borne }

    /// What is at the container's path.
    package func standing(of replica: any Replica) -> ReplicaStanding { replica.standing(knownBy: mark) }

    /// The container has no ID yet. An existing ID is adopted, because another bridge may use it.
    package func isUnmarked(_ replica: any Replica) -> Bool { (try? replica.mark()) == .some(nil) }

    /// Reads the container ID, for recording; `nil` if there is none.
    @discardableResult
    package mutating func read(of replica: any Replica) -> String? {
        borne = try? replica.mark()
        return borne
    }

    /// The found ID was recorded.
    package mutating func keep() { mark = borne }

    /// Another directory is the container now, whatever its ID.
    package mutating func forget() { (mark, borne) = (nil, nil) }
}
