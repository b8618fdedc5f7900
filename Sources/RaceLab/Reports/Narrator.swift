import Model

/// Describes the steps of a history in a few words, for all reports.
struct Narrator {
    let history: History
    /// The letters `A`, `B`, … by content number, in the order in which the contents appear.
    private var letters: [Int: String] = [:]
    /// What the sides have at the end.
    private let lasting: Set<Int>
    /// The contents in that order.
    private(set) var contents: [Int] = []

    /// - Parameter end: what the sides have at the end, by document.
    init(_ history: History, end: [BothSides<Int>] = []) {
        self.history = history
        lasting = Set(end.flatMap { [$0.app, $0.group] })
        for both in history.start { Side.allCases.forEach { add(both[$0]) } }
        for step in history.steps { contents(of: step).forEach { add($0) } }
        for both in (history.rest?.versions ?? []) + end { Side.allCases.forEach { add(both[$0]) } }
    }

    /// The contents that the step's description names.
    func contents(of step: Step) -> [Int] {
        [step.before, step.what.isOfContent ? step.version : nil].compactMap(\.self)
    }

    private mutating func add(_ version: Int) {
        guard version != History.absent, letters[version] == nil else { return }
        letters[version] = Self.letter(contents.count)
        contents.append(version)
    }

    private static func letter(_ number: Int) -> String {
        let last = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(number % 26)))
        return number < 26 ? last : letter(number / 26 - 1) + last
    }

    /// The letter of a content.
    func name(_ version: Int?) -> String { version.flatMap { letters[$0] } ?? "nothing" }

    /// Its index among the contents, for its colour.
    func place(_ version: Int?) -> Int? { version.flatMap { contents.firstIndex(of: $0) } }

    /// The author of a content.
    func origin(_ version: Int) -> String {
        if history.start.contains(where: { $0.app == version || $0.group == version }) {
            return "at the start"
        }
        let meant = history.calls.first { $0.intends == version }
        if let meant { return "\(history.lanes[meant.lane].name)'s" }
        if !history.versions[version].isReadable { return "half-written" }
        let made = history.steps.first { $0.what == .changed && $0.version == version }
        if let made { return "\(history.lanes[made.lane].name)'s" }
        return lasting.contains(version) ? "at the end" : "never written"
    }

    /// The name of the document, if there are several.
    func document(_ document: Int?) -> String? {
        guard history.documents.count > 1, let document else { return nil }
        return history.documents[document].description
    }

    private func document(_ step: Step) -> String { document(step.document).map { "\($0) " } ?? "" }

    private func place(_ step: Step) -> String {
        (document(step) + (step.side?.rawValue ?? "")).trimmed
    }

    /// Describes one step, such as `A → B in group`.
    func words(_ step: Step) -> String {
        let place = place(step)
        let inPlace = place.isEmpty ? "" : " in \(place)"
        let name = name(step.version)
        switch step.what {
        case .called: return "\(step.systemCall?.rawValue ?? "acts")\(place.isEmpty ? "" : " \(place)")"
        case .changed where step.version == History.absent:
            return "removes \(self.name(step.before))\(inPlace)"
        case .changed where step.before == History.absent: return "creates \(name)\(inPlace)"
        case .changed: return "\(self.name(step.before)) → \(name)\(inPlace)"
        case .rewritten: return "saves \(name) again\(inPlace)"
        case .read:
            return step.version == History.absent ? "finds nothing\(inPlace)" : "reads \(name)\(inPlace)"
        case .fetched: return "calls read: \(name)\(inPlace)"
        case .hinted: return "gets a hint"
        case .notified: return "sends notice of \(document(step))\(name)"
        case .aged: return "sends notice that \(document(step))\(name) is stale"
        case .clockPutBack: return "puts the clock back"
        case .tapped: return "tap i\(step.tap ?? 0)"
        case .handled: return "handles tap i\(step.tap ?? 0)"
        case .subscribed: return "subscribes: \(document(step))\(name)"
        case .agreed: return "records \(name)\(inPlace)"
        case .idle: return "is idle"
        case .waited: return "waits"
        case .failed: return "fails: \(step.systemCall?.rawValue ?? "")\(inPlace)"
        case .died: return "✗ is killed"
        case .started: return "starts"
        case .lostPower: return "✗ power is cut"
        case .shown: return "shows “\(shown(step))”"
        case .stopped: return "is stopped by the lab"
        case .continued: return "goes on"
        }
    }

    /// What a person saw.
    func shown(_ step: Step) -> String { step.text.map { history.texts[$0] } ?? "" }

    /// Its beginning, for a drawing.
    func quote(_ step: Step) -> String? {
        step.what == .shown ? "“\(shown(step).shortened(to: 24))”" : nil
    }

    func words(_ call: Call) -> String {
        switch call.name {
        case .operation(let verb):
            ([verb.rawValue] + [document(call.document)].compactMap(\.self)).joined(separator: " ")
        case .start: "start"
        case .turn: "turn"
        case .notify: "notify"
        }
    }
}

extension Step.What {
    /// The step's version is a content that was written or read.
    var isOfContent: Bool {
        switch self {
        case .changed, .rewritten, .read, .fetched, .notified, .aged, .subscribed, .agreed: true
        default: false
        }
    }

    /// A step that a drawing must show.
    var isEvent: Bool {
        switch self {
        case .called, .hinted, .idle, .waited: false
        default: true
        }
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
