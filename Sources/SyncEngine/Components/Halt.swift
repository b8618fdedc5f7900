package import Model

/// Why nothing at all is carried until a person looks at it.
package struct Halt: Fact {
    package var side: Side
    package var reason: Reason

    package init(side: Side, reason: Reason) {
        self.side = side
        self.reason = reason
    }

    /// What is wrong with the container of that side.
    package enum Reason: Sendable, Hashable {
        /// All documents are gone from it, so many.
        case lostAll(Int)
        /// So many are gone from it at once. `crossed`: of them are already deleted from the other side, too;
        /// `nil` where such deletions were not counted.
        case lost(Int, of: Int, crossed: Int? = nil)
        /// There is no directory at its path.
        case gone
        /// It came back as another directory. The next look at everything goes on with it.
        case returned
        /// Another directory stands there, which these words tell apart from other strangers.
        case replaced(by: String)
        /// It is the directory that was opened, but does not bear its mark.
        case unmarked(String)
        /// Its path leads to the other side's container.
        case isOther
        /// What stands at its path cannot be looked at.
        case unreachable(FileError)
        case unreadable(FileError)
    }

    /// The container could not be listed, or is another; mended by itself once it is there again.
    package var isUnreachable: Bool {
        switch reason {
        case .lostAll, .lost: false
        case .gone, .returned, .replaced, .unmarked, .isOther, .unreachable, .unreadable: true
        }
    }

    /// What stands there in its place, which a person may take for the container.
    package var stranger: String? {
        switch reason {
        case .replaced(let stranger), .unmarked(let stranger): stranger
        case .lostAll, .lost, .gone, .returned, .isOther, .unreachable, .unreadable: nil
        }
    }
}
