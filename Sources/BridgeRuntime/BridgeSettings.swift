package import Documents
package import SyncEngine

/// Everything that names one bridge and says how it works.
package struct BridgeSettings: Sendable {
    package var app: String
    package var group: String
    /// `nil`: under `$XDG_STATE_HOME/widgetbridge/`, named by a hash of both real paths.
    package var state: String?
    package var profile: Profile?
    package var engine: EngineSettings
    /// How often everything is looked at again, for what raises no event.
    package var rescan: Duration
    /// Never use inotify (for file systems that raise no events).
    package var polling: Bool
    /// The program that watches; `nil`: it is looked for.
    package var helper: String?
    /// What of how it works somebody has said, be it what is standard: an agent has to agree.
    package var said: Set<BridgeIdentity.Part> = []

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
