import Model

/// What happened in one schedule, in order.
public struct RaceHistory: Sendable {
    let history: History

    /// Which of the two containers.
    public enum Container: String, Sendable {
        /// The app's.
        case app
        /// The App Group container.
        case group
    }

    /// What a document held.
    public struct Content: Sendable, Hashable {
        /// The bytes; `nil`: the document was absent.
        public let bytes: [UInt8]?
        /// `sha256:` and 64 hex digits; `nil` for an absent document.
        public let hash: String?
        /// The bytes as text.
        public var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// One step of one actor.
    public struct Step: Sendable {
        /// What the step did.
        public enum Action: Sendable {
            /// Read `content`.
            case read
            /// Left `content` in the document, or none.
            case changed
            /// Notified subscribers of `content`.
            case notified
            /// Anything else, such as a system call that neither reads nor changes a document.
            case other
        }

        /// The actor's name.
        public let actor: String
        /// What it did.
        public let action: Action
        /// The document's name, if it is about one.
        public let document: String?
        /// The container, if it is about one.
        public let container: Container?
        /// What was read, written or notified of.
        public let content: Content?
        /// The simulated time since the start.
        public let time: Duration
    }

    /// One call of a program, from its first step to its last.
    public struct Operation: Sendable {
        /// The program's name.
        public let actor: String
        /// As in a scenario file: `read`, `write-from-memory` (a write by rename), `edit` (a put), `delete`.
        public let name: String
        /// The document's name, if it is about one.
        public let document: String?
        /// The container, if it is about one.
        public let container: Container?
        /// The index of its first step, and of its last; `nil`: it did not end.
        public let firstStep: Int
        /// See `firstStep`.
        public let lastStep: Int?
        /// The simulated times at its start and its end.
        public let began: Duration
        /// `nil`: it did not end.
        public let ended: Duration?
        /// Whether it ended, and was not refused: a read of an absent document and a put over another content
        /// are.
        public let isDone: Bool
        /// What it read last.
        public let read: Content?
        /// What it wrote, or would have written.
        public let written: Content?
    }

    /// All steps, also those of the agent.
    public var steps: [Step] {
        history.steps.map { step in
            Step(
                actor: history.lanes[step.lane].name,
                action: step.action,
                document: step.document.map { history.documents[$0].description },
                container: step.side.map(Container.init),
                content: step.what.isOfContent ? content(step.version) : nil,
                time: step.time
            )
        }
    }

    /// The calls of programs, in the order of their first steps.
    public var operations: [Operation] {
        var read: [Int: Int] = [:]
        for step in history.steps where step.what == .read {
            if let call = step.call, let version = step.version { read[call] = version }
        }
        return history.calls.indices.compactMap { number in
            let call = history.calls[number]
            guard case .operation(let verb) = call.name, !history.isAgent(call.lane) else { return nil }
            return Operation(
                actor: history.lanes[call.lane].name,
                name: verb.rawValue,
                document: call.document.map { history.documents[$0].description },
                container: call.side.map(Container.init),
                firstStep: call.first,
                lastStep: call.last,
                began: call.began,
                ended: call.ended,
                isDone: call.result == .done,
                read: content(read[number]),
                written: content(call.intends)
            )
        }
    }

    private func content(_ version: Int?) -> Content? {
        guard let version else { return nil }
        if version == History.absent { return Content(bytes: nil, hash: nil) }
        let content = history.versions[version]
        return Content(bytes: content.bytes, hash: content.digest.description)
    }
}

extension RaceHistory.Container {
    init(_ side: Side) { self = side == .app ? .app : .group }

    var side: Side { self == .app ? .app : .group }
}

extension Step {
    fileprivate var action: RaceHistory.Step.Action {
        switch what {
        case .read: .read
        case .changed: .changed
        case .notified: .notified
        default: .other
        }
    }
}
