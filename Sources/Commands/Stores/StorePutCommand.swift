import ArgumentParser
import BridgeRuntime
import Model
import StoreReplica
import Stores

struct StorePutCommand: Command {
    static let page = HelpPage(
        name: "put",
        abstract: "Write the value of a key, and print its hash.",
        discussion: """
            Without VALUE and --from-file the value is read from standard input. A text
            that begins with a hyphen follows `--`. Every other key stays as it is, and a
            file is replaced as a whole. A database or a manifest must exist.
            """,
        example: "widgetbridge store put com.example.plist flutter.spent 450.5 --type real",
        exits: [
            (.done, "written"), (.failed, "error; nothing was written"),
            (.needsDecision, "the value is not as expected; nothing was written"),
            (.usage, "wrong usage, or a new key without --type"),
        ]
    )

    @OptionGroup var options: StoreOptions

    @Argument(help: "The key. With --as flutter, without its prefix.", completion: .storeKeys)
    var key: String

    @Argument(help: "The value.")
    var value: String?

    @Option(
        help: ArgumentHelp("Read the value from this file; `-` is standard input.", valueName: "file"),
        completion: .file()
    )
    var fromFile: String?

    @Option(help: "The type of the value. (default: the one that the key has)")
    var type: StoreType?

    @Option(
        help: "Write only if the value has this hash, or with `none` if the key does not exist.",
        transform: ExpectedContent.parsed
    )
    var expect: ExpectedContent?

    @Flag(help: "Print a JSON object with the key, the type, the value and its hash.")
    var json = false

    func validate() throws {
        if value != nil, fromFile != nil { throw ValidationError("give VALUE or --from-file, not both") }
    }

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let bytes = try value.map { Array($0.utf8) } ?? NamedFile(fromFile ?? "-").bytes
        let put = StorePut(bytes, for: key, as: type, over: expected)
        let new = try options.withStore { (store) throws(StoreFileFault) in try store.put(put) }
        let shown = ShownValue(file: options.file, key: key, value: new)
        let done = "the value was written, and need not be again"
        terminal.print(json ? "\(shown.json)\n" : "\(shown.hash)\n", after: done)
        return .done
    }

    private var expected: Digest?? {
        switch expect?.expectation {
        case nil, .anything: return nil
        case .nothing: return .some(nil)
        case .content(let digest): return digest
        }
    }
}

extension StoreType: ExpressibleByArgument {}
