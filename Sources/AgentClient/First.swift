/// Runs both, returns the result of the one that ends first, and cancels the other.
func first<Value: Sendable>(
    _ one: @escaping @Sendable () async -> Value,
    or other: @escaping @Sendable () async -> Value
) async -> Value {
    await withTaskGroup(of: Value.self) { group in
        group.addTask { await one() }
        group.addTask { await other() }
        defer { group.cancelAll() }
        // There are two: one of them is the next.
        while true { if let value = await group.next() { return value } }
    }
}
