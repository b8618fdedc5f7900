/// What an actor does, in Swift.
///
/// Two are equal only if they are the same object, because closures cannot be compared.
package final class ActorCode: Sendable, Hashable {
    let body: @Sendable (RaceContainer) throws -> Void

    init(_ body: @escaping @Sendable (RaceContainer) throws -> Void) { self.body = body }

    /// Of an actor in a saved schedule, which has its name and not its code.
    static let missing = ActorCode { _ in }

    package static func == (one: ActorCode, other: ActorCode) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
