package import Model

/// Why the bridge syncs nothing until a person acts.
package struct Halt: Fact {
    package var side: Side
    package var reason: Reason

    package init(side: Side, reason: Reason) {
        self.side = side
        self.reason = reason
    }

    /// What is wrong with the container of that side.
    package enum Reason: Sendable, Hashable {
        /// All of its documents are gone: this many.
        case lostAll(Int)
        /// Many documents are gone. `crossed`: the number already deleted on the other side, too;
        /// `nil` if those were not counted.
        case lost(Int, of: Int, crossed: Int? = nil)
        /// There is no directory at its path.
        case gone
        /// It came back as another directory. The next full scan continues with it.
        case returned
        /// Another directory is there, identified by this text.
        case replaced(by: String)
        /// It is the opened directory, but without its container ID.
        case unmarked(String)
        /// It carries the ID of the other side's container, and is identified by this text.
        case swapped(String)
        /// Its path leads to the other side's container.
        case isOther
        /// The path cannot be accessed.
        case unreachable(FileError)
        case unreadable(FileError)
    }

    /// The container could not be listed, or is another one; the halt ends by itself once it is back.
    package var isUnreachable: Bool {
        switch reason {
        case .lostAll, .lost: false
        case .gone, .returned, .replaced, .unmarked, .swapped, .isOther, .unreachable, .unreadable: true
        }
    }

    /// The directory that is there instead, which a person may accept as the container.
    package var stranger: String? {
        switch reason {
        case .replaced(let stranger), .unmarked(let stranger), .swapped(let stranger): stranger
        case .lostAll, .lost, .gone, .returned, .isOther, .unreachable, .unreadable: nil
        }
    }
}
