import Model
package import Replica

/// By what the container of one side is known again.
///
/// Owns its mark, and what it bears but could not be kept yet. It needs the replica and nothing else: who is
/// told of a mark is the caller's affair.
package struct ContainerIdentity: Sendable {
    /// By which the container is known again, and which is kept beyond this run.
    package private(set) var mark: String?
    /// What it bears, and could not be kept yet.
    private var borne: String?

    package init(mark: String? = nil) { self.mark = mark }

    /// What it bears, kept or not. Without one, neither do its files bear marks.
    package var known: String? { mark ?? borne }

    /// What stands at the container's path.
    package func standing(of replica: any Replica) -> ReplicaStanding { replica.standing(knownBy: mark) }

    /// The container bears no mark yet. One that it bears is taken over, for another bridge may know it by
    /// that.
    package func isUnmarked(_ replica: any Replica) -> Bool { (try? replica.mark()) == .some(nil) }

    /// Reads what it bears, to be kept; `nil` where there is none.
    @discardableResult
    package mutating func read(of replica: any Replica) -> String? {
        borne = try? replica.mark()
        return borne
    }

    /// What it bears is kept.
    package mutating func keep() { mark = borne }

    /// Another directory is the container from now on, whatever it bears.
    package mutating func forget() { (mark, borne) = (nil, nil) }
}
