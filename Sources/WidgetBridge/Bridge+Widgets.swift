import BridgeRuntime
import Documents
public import FoundationEssentials
import Reloads
import SyncEngine

/// A widget that a person has placed, which gives its kind a budget of reloads.
public struct PlacedWidget: Hashable, Identifiable, Sendable {
    /// Never used again, even after the widget was removed.
    public let id: String
    /// The kind of widget from the profile; without a profile, a document's name.
    public let kind: String
    /// The size.
    public let family: String
    /// When it was placed.
    public let at: Date

    init(_ entry: WidgetEntry) {
        id = entry.id
        kind = entry.kind
        family = entry.family
        at = Date(milliseconds: UTCTime.milliseconds(rfc3339: entry.at) ?? 0)
    }
}

/// What the reloads of one kind have cost.
public struct ReloadLedger: Hashable, Sendable {
    /// What a kind shows.
    public enum State: String, Hashable, Sendable {
        /// The current document.
        case fresh
        /// The document, which is older than its profile allows.
        case stale
        /// The text of an error that its profile names.
        case error
        /// There is no document.
        case noData = "nodata"
        /// There is a document, and it cannot be read.
        case locked
        /// The document's version is newer than the profile knows.
        case incompatible
    }

    /// The kind of widget from the profile; without a profile, a document's name.
    public let kind: String
    /// What it shows, as of its last reload.
    public let state: State
    /// The slots that are used, of the last 24 hours.
    public let used: Int
    /// The slots that there are; `nil` if its reloads are not limited.
    public let budget: Int?
    /// Reloads that used no slot, because the app was active.
    public let exempt: Int
    /// Changes that the reload for another one answered.
    public let coalesced: Int
    /// Changes that the kind does not show.
    public let invisible: Int
    /// Reloads that had to wait for a slot.
    public let delayed: Int
    /// When the next slot is free; `nil` if one is free now, or none ever will be.
    public let nextSlot: Date?
    /// Who did not acknowledge the last reload, however often its notice was repeated.
    public let failed: [String]

    init(_ ledger: KindLedger) {
        kind = ledger.kind
        state =
            switch ledger.state {
            case .fresh: .fresh
            case .stale: .stale
            case .error: .error
            case .noData: .noData
            case .locked: .locked
            case .incompatible: .incompatible
            }
        (used, budget, exempt) = (ledger.used, ledger.budget, ledger.exempt)
        (coalesced, invisible, delayed) = (ledger.coalesced, ledger.invisible, ledger.delayed)
        failed = ledger.failed ?? []
        nextSlot = ledger.nextSlot.flatMap { UTCTime.milliseconds(rfc3339: $0) }
            .map { Date(milliseconds: $0) }
    }
}

/// What the app does, which decides whether reloads of its widgets use slots.
public enum AppState: String, Hashable, Sendable {
    /// Its reloads use no slots.
    case foreground
    /// Its reloads use slots.
    case background
    /// A session for which a phone exempts the widgets of an app.
    case audio, navigation
}

extension Bridge {
    /// The placed widgets, kind by kind.
    public func widgets() async throws(BridgeFailure) -> [PlacedWidget] {
        try await rethrowing { () throws(BridgeError) in try await backend.widgets() }.map(PlacedWidget.init)
    }

    /// Places a widget. From then on a reload of its kind needs a slot of every placed widget, or waits.
    ///
    /// - Parameters:
    ///   - kind: The kind of widget from the profile; without a profile, a document's name.
    ///   - family: The size, such as `small`.
    @discardableResult
    public func placeWidget(_ kind: String, family: String) async throws(BridgeFailure) -> PlacedWidget {
        PlacedWidget(
            try await rethrowing { () throws(BridgeError) in
                try await backend.placeWidget(kind, family: family)
            }
        )
    }

    /// Removes a placed widget; its slots no longer count.
    public func removeWidget(_ id: String) async throws(BridgeFailure) {
        _ = try await rethrowing { () throws(BridgeError) in try await backend.removeWidget(id) }
    }

    /// What the reloads of each kind have cost, in the profile's order.
    public func reloadLedgers() async throws(BridgeFailure) -> [ReloadLedger] {
        try await rethrowing { () throws(BridgeError) in try await backend.reloadLedger() }
            .map(ReloadLedger.init)
    }

    /// Says what the app does: unless it is in the background, reloads use no slots.
    ///
    /// - Parameters:
    ///   - state: What it does from now on.
    ///   - time: How long that counts unless it is said again, at most a day.
    public func enter(_ state: AppState, for time: Duration = .seconds(600)) async throws(BridgeFailure) {
        guard AppActivity.times.contains(time) else {
            throw BridgeFailure(.unusableSettings, "a state of the app counts from 1 ms to a day")
        }
        let activity: AppActivity =
            switch state {
            case .foreground: .foreground
            case .background: .background
            case .audio: .audio
            case .navigation: .navigation
            }
        _ = try await rethrowing { () throws(BridgeError) in try await backend.enter(activity, for: time) }
    }
}
