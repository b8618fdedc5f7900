import ArgumentParser
import StoreReplica

struct StoreCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "store",
        abstract: "Read and change single values of an app's own stores, without a bridge.",
        discussion: """
            A store is a file in which an app keeps values under keys: a property list, such
            as that of UserDefaults; preferences of Android; a manifest of AsyncStorage; a
            table of an SQLite database. Its bytes say which it is.
            """,
        example: "widgetbridge store list ~/group/Library/Preferences/group.com.example.plist",
        exits: [
            (.done, "done"), (.failed, "error, or no such key"),
            (.needsDecision, "the value is not as expected (put)"), (.usage, "wrong usage"),
        ]
    )

    static let configuration = page.configuration(
        subcommands: [StoreListCommand.self, StoreGetCommand.self, StorePutCommand.self]
    )
}

struct StoreListCommand: Command {
    static let page = HelpPage(
        name: "list",
        abstract: "List the keys of a store, with the types and the beginnings of their values.",
        example: "widgetbridge store list shared_prefs/HomeWidgetPreferences.xml --as home-widget",
        exits: [(.done, "listed"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print a JSON object with all values.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let listing = try options.withStore { (store) throws(StoreFileFault) in try store.list() }
        let printer = TextPrinter(usesColour: terminal.usesColour, columns: terminal.columns)
        terminal.print(json ? "\(listing.json(of: options.file))\n" : listing.text(of: options.file, printer))
        return .done
    }
}

struct StoreGetCommand: Command {
    static let page = HelpPage(
        name: "get",
        abstract: "Print the value of a key: text and data byte by byte, any other on a line.",
        discussion: """
            A date is printed as a time such as `2026-01-18T14:30:00.000Z`, a list or a
            dictionary as JSON. With --json, data is base64.
            """,
        example: "widgetbridge store get Library/Preferences/com.example.plist flutter.widget_data",
        exits: [(.done, "printed"), (.failed, "error, or no such key"), (.usage, "wrong usage")]
    )

    @OptionGroup var options: StoreOptions

    @Argument(help: "The key. With --as flutter, without its prefix.", completion: .storeKeys)
    var key: String

    @Flag(help: "Print a JSON object with the key, the type, the value and its hash.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let value = try options.withStore { (store) throws(StoreFileFault) in try store.value(of: key) }
        let shown = ShownValue(file: options.file, key: key, value: value)
        terminal.print(json ? Array("\(shown.json)\n".utf8) : shown.bytes)
        return .done
    }
}
