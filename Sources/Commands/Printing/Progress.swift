import Synchronization

/// The activity that is shown to a person who waits for the command.
final class Progress: Sendable {
    private let words: Mutex<String>
    private let start = ContinuousClock.now

    fileprivate init(_ words: String) { self.words = Mutex(words) }

    /// Replaces the text of the activity.
    func show(_ words: String) { self.words.withLock { $0 = words } }

    /// How many are done, and how long the others take at the same speed.
    func show(_ doing: String, _ done: Int, of total: Int) {
        var text = "\(doing): \(done.grouped) of \(total.grouped)"
        if done > 0 {
            let left = (ContinuousClock.now - start) * (total - done) / done
            text += ", about \(left.components.seconds.description) s left"
        }
        show(text)
    }

    fileprivate func line(after time: Duration) -> String {
        "\(words.withLock { $0 }) … \(time.components.seconds) s"
    }
}

/// Shows the activity on a terminal once it has taken a second.
func withProgress<Result>(
    _ what: String,
    on terminal: Terminal,
    _ body: (Progress) async throws -> Result
) async throws -> Result {
    let progress = Progress(what)
    guard terminal.isInteractive else { return try await body(progress) }
    let start = ContinuousClock.now
    let showing = Task {
        while true {
            try await Task.sleep(for: .seconds(1))
            terminal.show(progress: progress.line(after: ContinuousClock.now - start))
        }
    }
    defer {
        showing.cancel()
        if ContinuousClock.now - start > .seconds(1) { terminal.show(progress: "") }
    }
    return try await body(progress)
}
