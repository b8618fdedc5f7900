/// Runs both, returns the result of the first that ends, and cancels the other.
func first<Value: Sendable>(
    _ one: @escaping @Sendable () async -> Value,
    or other: @escaping @Sendable () async -> Value
) async -> Value {
    await withTaskGroup(of: Value.self) { group in
        group.addTask { await one() }
        group.addTask { await other() }
        defer { group.cancelAll() }
        // The group has two tasks, so there is a next result.
        while true { if let value = await group.next() { return value } }
    }
}
