package import Model

/// A person permits what the bridge is halted for.
extension Engine {
    package var halt: Halt? { lossGuard.halt }
    package var documentCount: Int { records.count }
    package var heldCount: Int { holds.documents.count }

    package var permit: String? { lossGuard.permit }

    package mutating func allowDeletions() { carryOut(lossGuard.allowDeletions(among: records.count)) }

    /// A person permits what has that id, and nothing else.
    package mutating func allow(_ id: String) throws(DecisionFailure) -> Allowed {
        if halt == nil {
            // Nobody has looked yet, where no agent runs.
            var copy = self
            copy.look()
            lossGuard.take(from: copy.lossGuard)
        }
        guard let halt, permit == id else { throw .unknown }
        let side = halt.side
        if halt.stranger != nil {
            guard containers.loss(of: side) == halt else { throw .unknown }
            try takeStranger(on: side)
            return Allowed(side: side, documents: [], takesContainer: true)
        }
        let documents = lossGuard.lost(on: side).map(\.description)
        allowDeletions()
        return Allowed(side: side, documents: documents)
    }

    /// A halted bridge carries nothing. `path`: a document about to be deleted, which may be the one too
    /// many.
    mutating func isHalted(deleting path: RelativePath?) -> Bool {
        if halt != nil { return true }
        guard path != nil else { return false }
        for side in Side.allCases {
            if let loss = containers.loss(of: side) {
                lossGuard.stop(for: loss)
                scanner.want()
                return true
            }
            if let next = lossGuard.halt(forLossOn: side, among: records.count) {
                carryOut(next)
                return true
            }
        }
        return false
    }
}

/// What a person lets happen.
package struct Allowed: Codable, Sendable, Hashable {
    package var side: Side
    /// They are gone from that container, and may go from the other.
    package var documents: [String]
    /// The directory that stands at its path is the container from now on.
    package var takesContainer: Bool

    package init(side: Side, documents: [String], takesContainer: Bool = false) {
        self.side = side
        self.documents = documents
        self.takesContainer = takesContainer
    }
}
