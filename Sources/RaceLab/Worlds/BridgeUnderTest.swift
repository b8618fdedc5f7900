import Documents
import Model
import StateStore
import SyncEngine

/// A bridge, as a world drives it.
protocol BridgeUnderTest: AnyObject {
    var deadline: Duration? { get }
    /// When the policy for placed widgets has something to do.
    func reloadDeadline(at now: Moment) -> Duration?
    /// A person places a widget.
    func place(_ kind: String, at now: Moment)
    func markDirty(_ path: RelativePath)
    func markAllDirty(at now: Moment)
    func turn(at now: Moment) -> Turn
    /// `false` if the content is not `expected`.
    func put(_ bytes: [UInt8], as path: RelativePath, on side: Side, over expected: Digest?, at now: Moment)
        -> Bool
    func isHeld(_ path: RelativePath) -> Bool
    func rule(for path: RelativePath) -> DocumentRule?
    /// The base of a side.
    func agreed(_ path: RelativePath, on side: Side) -> Digest?
    /// An access event or a token.
    func hear(_ word: WatchMessage, at now: Moment)
    /// Whether it needs a token, to learn when all earlier events have arrived.
    var hasQuestions: Bool { get }
    func asked(_ token: UInt64, at now: Moment)
    /// Saves its state; `restore` returns to it.
    func save()
    func restore()
}

extension BridgeUnderTest {
    func reloadDeadline(at now: Moment) -> Duration? { nil }
    func place(_ kind: String, at now: Moment) {}
    func hear(_ word: WatchMessage, at now: Moment) {}
    var hasQuestions: Bool { false }
    func asked(_ token: UInt64, at now: Moment) {}
    func save() {}
    func restore() {}
}

/// The project's engine, with a file system that may be faulty.
final class EngineUnderTest: BridgeUnderTest {
    private var engine: Engine
    private var saved: Engine?
    private let journal: LabJournal
    private let passesTime: Bool

    /// - Parameter passesTime: whether reloads are due by themselves.
    init(_ engine: Engine, _ journal: LabJournal, passesTime: Bool) {
        self.engine = engine
        self.journal = journal
        self.passesTime = passesTime
    }

    func save() { saved = engine }
    func restore() { if let saved { engine = saved } }

    /// In place: reading a property would copy the whole engine first.
    private func ask<Answer>(_ question: (inout Engine) -> Answer) -> Answer { question(&engine) }

    var deadline: Duration? { ask { $0.deadline } }
    func reloadDeadline(at now: Moment) -> Duration? {
        guard passesTime, let due = ask({ $0.reloadDeadline }) else { return nil }
        return now.uptime + .milliseconds(max(0, due - now.unixMilliseconds))
    }
    func place(_ kind: String, at now: Moment) { _ = try? engine.placeWidget(kind, "", at: now) }
    func markDirty(_ path: RelativePath) { engine.markDirty(path) }
    func markAllDirty(at now: Moment) { engine.markAllDirty(at: now) }
    func turn(at now: Moment) -> Turn { engine.turn(at: now) }

    func hear(_ word: WatchMessage, at now: Moment) {
        switch word {
        case .evidence(let evidence, let side, let path): engine.hear(evidence, of: path, on: side)
        case .lost: for side in Side.allCases { engine.forgetEvidence(on: side) }
        case .token(let token): engine.answered(token, at: now)
        }
    }

    var hasQuestions: Bool { ask { $0.hasQuestions } }
    func asked(_ token: UInt64, at now: Moment) { engine.asked(token, at: now) }

    func put(_ bytes: [UInt8], as path: RelativePath, on side: Side, over expected: Digest?, at now: Moment)
        -> Bool
    {
        do throws(PutFailure) {
            try engine.put(bytes, as: path, on: side, expecting: .some(expected), at: now)
            return true
        } catch {
            return false
        }
    }

    /// A halt holds every document.
    func isHeld(_ path: RelativePath) -> Bool {
        ask { $0.halt != nil || $0.isHeld(path) }
    }
    func rule(for path: RelativePath) -> DocumentRule? { ask { $0.rule(for: path) } }
    func agreed(_ path: RelativePath, on side: Side) -> Digest? {
        journal.record(of: path)?.sides[side].digest
    }
}
