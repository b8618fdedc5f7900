package import Model

/// A person's permission for what halted the bridge.
extension Engine {
    package var halt: Halt? { lossGuard.halt }
    package var documentCount: Int { records.count }
    package var heldCount: Int { holds.documents.count }

    package var permit: String? { lossGuard.permit }

    package mutating func allowDeletions() { carryOut(lossGuard.allowDeletions(among: records.count)) }

    /// Allows the halt with this ID, and nothing else.
    package mutating func allow(_ id: String) throws(DecisionFailure) -> Allowed {
        if halt == nil {
            // Without an agent the containers have not been read yet.
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

    /// A halted bridge syncs nothing. `path`: a document about to be deleted, which may make it a mass
    /// deletion.
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

/// What a person allowed.
package struct Allowed: Codable, Sendable, Hashable {
    package var side: Side
    /// The documents missing in that container, which may be deleted in the other.
    package var documents: [String]
    /// The directory at the container's path is the container from now on.
    package var takesContainer: Bool

    package init(side: Side, documents: [String], takesContainer: Bool = false) {
        self.side = side
        self.documents = documents
        self.takesContainer = takesContainer
    }
}
