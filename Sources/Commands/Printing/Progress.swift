/// Says on a terminal that something goes on, once it took a second.
func withProgress<Result>(
    _ what: String,
    on terminal: Terminal,
    _ body: () async throws -> Result
) async throws -> Result {
    guard terminal.isInteractive else { return try await body() }
    let start = ContinuousClock.now
    let showing = Task {
        while true {
            try await Task.sleep(for: .seconds(1))
            terminal.show(progress: "\(what) … \((ContinuousClock.now - start).components.seconds) s")
        }
    }
    defer {
        showing.cancel()
        if ContinuousClock.now - start > .seconds(1) { terminal.show(progress: "") }
    }
    return try await body()
}
