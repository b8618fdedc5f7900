package import Documents
package import Model
package import SyncEngine

/// The settings of a bridge.
package struct BridgeSettings: Sendable {
    package var app: String
    package var group: String
    /// `nil`: a directory in `$XDG_STATE_HOME/widgetbridge/`, named by a hash of both real paths.
    package var state: String?
    package var profile: Profile?
    /// Where each side's program keeps the documents for which the profile names a store.
    package var stores = BothSides(app: StorePlatform.json, group: .json)
    package var engine: EngineSettings
    /// How often everything is read again, to find changes without events.
    package var rescan: Duration
    /// Do not use inotify (for file systems without events).
    package var polling: Bool
    /// The program that watches; `nil`: it is looked for.
    package var helper: String?
    /// The settings that the user gave explicitly, even if they are the default: a running agent must have
    /// the same.
    package var explicitParts: Set<BridgeIdentity.Part> = []

    package init(
        app: String,
        group: String,
        state: String? = nil,
        profile: Profile? = nil,
        engine: EngineSettings = EngineSettings(),
        rescan: Duration = .seconds(60),
        polling: Bool = false,
        helper: String? = nil
    ) {
        self.app = app
        self.group = group
        self.state = state
        self.profile = profile
        self.engine = engine
        self.rescan = rescan
        self.polling = polling
        self.helper = helper
    }
}
