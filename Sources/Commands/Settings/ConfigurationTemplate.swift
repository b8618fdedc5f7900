import Documents

/// The text of a new `widgetbridge.yaml`: the given settings, and all other keys with
/// their defaults as comments.
struct ConfigurationTemplate {
    var app: String
    var group: String
    var profile: String?

    var text: String {
        """
        # The configuration of a widgetbridge agent. Paths are relative to this file; ~/ is the home
        # directory. `kill -HUP` makes a running agent read it again.

        # The app's container, and the App Group container that its widgets read.
        app: \(scalar(app))
        group: \(scalar(group))

        # The profile that describes the documents: \(Profile.builtInNames.joined(separator: ", ")),
        # or a file. Without one every *.json file of each container is a document, and is copied to
        # the other one; `exclude` leaves private ones out.
        \(profile.map { "profile: \(scalar($0))" } ?? "#profile: budget")

        # Every key below has its default value.

        # Where each side keeps the documents of the profile: in JSON files, or as the app does on a platform.
        # With a platform, only the documents that the profile names are synced.
        #stores: ios
        #app-stores: json
        #group-stores: android
        # How much survives a power cut: none, file, dir or batch.
        #durability: batch
        # How a document is replaced: exchange, or rename for directories whose readers mistake an
        # exchange for a deletion.
        #commit: exchange
        # Larger and deeper documents are held, and those in more directories, one in the other.
        #max-document: 8MiB
        #max-depth: 512
        #max-directories: 64
        # Sync only documents with these names, or leave some out; * matches within one component of a path.
        #include: ["*.json", "*/*.json"]
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
        #log-level: warning

        # Also serve the API on a port of this machine, to requests with the token in this file.
        #listen: 127.0.0.1:8080
        #token-file: token

        # What the agent does when widgets reload: run a program, signal one, or post to a local server.
        #hooks: [{kind: BudgetWidget, command: [notify-send, widgetbridge, the budget has changed]}]

        """
    }

    private func scalar(_ text: String) -> String { yamlScalar(text, plain: "/._-") }
}
