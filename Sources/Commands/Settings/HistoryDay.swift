import BridgeRuntime
import Documents
import Model
import Reloads

/// What a bridge's history says has happened on the day with the most changes.
///
/// The contents of that day are gone, so a change counts for the kinds that were notified of it, at once or
/// when a slot was free.
struct HistoryDay {
    private let zone: TimeZoneRules
    private var changes: [SimulatedDay.Event] = []

    /// `nil` if nothing that widgets show has changed.
    static func day(of stories: [(document: RelativePath, story: DocumentStory)], _ profile: Profile)
        -> SimulatedDay?
    {
        var history = HistoryDay(zone: profile.widgetZone.rules)
        for (document, story) in stories { history.add(story.events, of: document, profile) }
        return history.fullest
    }

    private init(zone: TimeZoneRules) { self.zone = zone }

    private mutating func add(_ events: [DocumentStory.Event], of document: RelativePath, _ profile: Profile)
    {
        let kinds = profile.rule(for: document.description).kinds.map(\.name)
        /// Changes of which a kind has not been notified, or that it does not show.
        var unnotified: [String: [Int64]] = [:]
        var generation: Int64 = 0
        for event in events {
            // A later notice of a reload has the generation of its document.
            let isChange = event.generation > generation
            generation = max(generation, event.generation)
            for kind in kinds {
                let isNotified = event.kinds?.contains(kind) ?? false
                if isChange { unnotified[kind, default: []].append(event.at) }
                guard isNotified, isChange || event.cause != .time else { continue }
                for time in isChange ? [event.at] : unnotified[kind] ?? [] {
                    changes.append(.init(at: time, .change(kind: kind, document: document, to: nil)))
                }
                unnotified[kind] = []
            }
        }
    }

    private var fullest: SimulatedDay? {
        let days = Dictionary(grouping: changes) { Int64(zone.midnight(before: Int($0.at / 1000))) * 1000 }
        let most = days.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        return most.map { SimulatedDay(start: $0.key, in: zone, $0.value) }
    }
}
