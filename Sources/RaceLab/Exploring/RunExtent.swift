import Model

/// How much of a scenario one run has shown.
struct RunExtent: Sendable {
    /// How many of its operations each actor has begun.
    var begun: [Int] = []
    var waits: [Rest.Wait] = []
    /// Why it did not come to rest.
    var unrest: Rest.Unrest?
    /// The bridge holds documents at the end, or is halted.
    var isHolding = false
    /// A hash of what each actor saw, in its own order.
    var view: UInt64 = 0

    var isUnfinished: Bool { unrest != nil }

    init() {}

    init(_ history: History, begun: [Int]) {
        self.begun = begun
        unrest = history.rest?.unrest
        if !isUnfinished {
            waits = history.rest?.waits ?? []
            isHolding = history.rest?.held.isEmpty == false
        }
        view = Self.view(of: history)
    }

    /// Equal for runs in which each actor made and saw the same, however their steps were mixed.
    private static func view(of history: History) -> UInt64 {
        var views = [UInt64](repeating: 0, count: history.lanes.count)
        var subscribed = [UInt32](repeating: 0, count: history.lanes.count)
        for step in history.steps {
            let index = (step.document ?? 99) * 4 + (step.side == nil ? 0 : step.side == .app ? 1 : 2)
            let what = UInt64(step.what.rawValue) << 32 | UInt64(index)
            let content = step.version.map { history.versions[$0].digest.start }
            let saw = mixed(what, step.held.map { UInt64($0) } ?? content ?? 1)
            views[step.lane] = mixed(views[step.lane], saw)
            if step.what == .died { subscribed[step.lane] = 0 }
            guard let document = step.document else { continue }
            if step.what == .subscribed { subscribed[step.lane] |= 1 << UInt32(document) }
            if step.what != .notified { continue }
            for lane in views.indices where subscribed[lane].has(document) {
                views[lane] = mixed(views[lane], saw)
            }
        }
        return views.reduce(0) { mixed($0, $1) }
    }

    /// A hash of two words.
    private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ 0xD6E8_FEB8_6659_FD93).multipliedFullWidth(by: other ^ 0xA076_1D64_78BD_642F)
        let folded = product.high ^ product.low
        return (folded ^ (folded >> 32)) &* 0xE703_7ED1_A0B4_28DB ^ one &+ other << 1
    }
}
