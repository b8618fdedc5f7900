/// What the app does, which decides whether reloads cost anything.
package enum AppActivity: String, Sendable, Hashable, Codable, CaseIterable {
    case foreground, background
    /// Sessions for which a system exempts the widgets of an app.
    case audio, navigation

    /// How long it counts unless it is renewed, in milliseconds.
    package static let lapse: Int64 = 600_000
    /// For how long it may be said to count.
    package static let times = Duration.milliseconds(1)...Duration.seconds(86_400)
}

struct AppState: Sendable, Hashable, Codable {
    var activity = AppActivity.background
    var until: Int64 = .min

    func isExempt(at now: Int64) -> Bool { activity != .background && now < until }
}
