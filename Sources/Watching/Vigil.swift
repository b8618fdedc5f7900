/// Detects that the watching program hangs while an answer is due. Pure: time is an argument.
///
/// It may be busy with a large tree for long, but answers a `ping` between two pieces of work. If it sends
/// nothing at all for `longest`, it counts as hung.
struct Vigil {
    enum Verdict { case patient, ask, over }

    /// When the silence started.
    private var since: Duration?
    private var isAsked = false

    static let silence = Duration.seconds(1)
    static let longest = Duration.seconds(4)

    /// An answer is due.
    mutating func expect(at now: Duration) { since = since ?? now }

    mutating func heard() { (since, isAsked) = (nil, false) }

    var deadline: Duration? { since.map { $0 + (isAsked ? Self.longest - Self.silence : Self.silence) } }

    mutating func verdict(at now: Duration) -> Verdict {
        guard let deadline, deadline <= now else { return .patient }
        if isAsked { return .over }
        // Restarts the time: the caller may have been busy itself.
        (since, isAsked) = (now, true)
        return .ask
    }
}
