import Documents

/// The text of a new `widgetbridge.yaml`: the given settings, and all other keys as comments.
struct ConfigurationTemplate {
    /// The name of the bridge, if it is one of several.
    var bridge: String?
    var app: String
    var group: String
    var profile: String?

    var text: String {
        """
        # The configuration of a widgetbridge agent. Paths are relative to this file; ~/ is the home
        # directory. `kill -HUP` makes a running agent read it again.

        \(bridge == nil ? Self.containers(settings(indented: "")) : Self.profileHint)

        \(Self.defaults)

        \(Self.examples)
        \(bridge.map { "\n" + bridges($0) } ?? "")
        """
    }

    /// The lines of what was given.
    func settings(indented indent: String) -> [String] {
        let profile = profile.map { ["profile: \(scalar($0))"] } ?? []
        return (["app: \(scalar(app))", "group: \(scalar(group))"] + profile).map { indent + $0 }
    }

    private static func containers(_ settings: [String]) -> String {
        """
        # The app's container, and the App Group container that its widgets read.
        \(settings.prefix(2).joined(separator: "\n"))

        \(profileHint)
        \(settings.count > 2 ? settings[2] : "#profile: budget")
        """
    }

    private func bridges(_ name: String) -> String {
        """
        # Each bridge has the settings above, unless it has its own.
        bridges:
          \(yamlScalar(name, plain: "._-")):
        \(settings(indented: "    ").joined(separator: "\n"))

        """
    }

    private static let profileHint = """
        # `profile` describes the documents: \(Profile.builtInNames.joined(separator: ", ")),
        # or a file. Without one every *.json file of each container is a document, and is copied to
        # the other one; `exclude` leaves private ones out.
        """

    /// Each key with the value that counts without it.
    static let defaults = """
        # Each key from here to `polling` has its default value.

        # Where each side keeps the documents of the profile: json, or as the app does on ios or android.
        # With a platform, only the documents that the profile names are synced. `stores` is for both sides.
        #stores: json
        #app-stores: json
        #group-stores: json
        # How much survives a power cut: none, file, dir or batch.
        #durability: batch
        # How a document is replaced: exchange, or rename for directories whose readers mistake an
        # exchange for a deletion.
        #commit: exchange
        # Larger and deeper documents are held, and those in more directories, one in the other.
        #max-document: 8MiB
        #max-depth: 512
        #max-directories: 64
        # Leave out documents with these names; * matches within one component of a path.
        #exclude: []
        # The bridge halts when more than this share of ten or more documents disappears from one side,
        # and with `true` also when the only document does.
        #halt-threshold: 50%
        #guard-last-document: false
        # What is overwritten or deleted goes to the trash, and can be taken back from there.
        #max-trash: 256MiB
        #trash-age: 30d
        # How often both containers are rescanned, for changes that raise no event.
        #rescan: 60s
        # Poll every second instead of watching with inotify.
        #polling: false
        """

    private static let examples = """
        # The keys from here on have no value unless they are given; these are examples.

        # Sync only documents with these names.
        #include: ["*.json", "*/*.json"]
        # The time zone of daily reloads, where the profile has none. Without it that is the machine's.
        #time-zone: Europe/Rome
        # The lowest level that is logged. Without it that is info on a terminal, else warning.
        #log-level: debug

        # Also serve the API on a port of this machine, to requests with the token in this file.
        #listen: 127.0.0.1:8080
        #token-file: token

        # What the agent does when widgets reload: run a program, signal one, or post to a local server.
        #hooks: [{kind: BudgetWidget, command: [notify-send, widgetbridge, the budget has changed]}]
        """

    private func scalar(_ text: String) -> String { yamlScalar(text, plain: "/._-") }
}
