/// Whether a helper that owes an answer still lives. Pure: time is an argument.
///
/// It may be busy for long with a large tree, but not without a word: between two pieces of work it answers a
/// `ping`. One that has not said anything at all for `longest` is as good as dead.
struct Vigil {
    enum Verdict { case patient, ask, over }

    /// Since when there was nothing to hear.
    private var since: Duration?
    private var isAsked = false

    static let silence = Duration.seconds(1)
    static let longest = Duration.seconds(4)

    /// It has something to answer.
    mutating func expect(at now: Duration) { since = since ?? now }

    mutating func heard() { (since, isAsked) = (nil, false) }

    var deadline: Duration? { since.map { $0 + (isAsked ? Self.longest - Self.silence : Self.silence) } }

    mutating func verdict(at now: Duration) -> Verdict {
        guard let deadline, deadline <= now else { return .patient }
        if isAsked { return .over }
        // From here on: whoever asks may have been busy himself.
        (since, isAsked) = (now, true)
        return .ask
    }
}
