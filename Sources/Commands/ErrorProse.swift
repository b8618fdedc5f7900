import AgentClient
import AgentServer
import BridgeRuntime
import Documents
import FileSystem
import Glibc
import Model
import Processes
import RaceLab
import StateStore
import SyncEngine

/// An error as one line of text: what is wrong, where, and what to do.
struct ErrorProse: Hashable {
    var what: String
    var place: String?
    var advice: String?
    var status: CommandStatus
    /// The known word nearest to an unknown one, for "Did you mean".
    var suggestion: String?

    init(_ what: String, at place: String? = nil, _ advice: String?, _ status: CommandStatus = .failed) {
        self.what = what
        self.place = place
        self.advice = advice
        self.status = status
    }

    var line: String { "widgetbridge: " + text }

    var text: String {
        let placed = place.map { "\(what), \($0)" } ?? what
        let advised = advice.map { "\(placed); \($0)" } ?? placed
        let asked = suggestion.map { "\(advised). Did you mean `\($0)`?" } ?? advised
        // Names and messages from elsewhere may have control characters, and an error is one line.
        return asked.withoutControls
    }

    /// Standard output cannot be written.
    init(unprinted errno: Int32, after done: String? = nil) {
        let advice = errno == ENOSPC ? "make room there, or print elsewhere" : "print elsewhere"
        let what = "cannot write: \(systemMessage(errno))"
        self.init(what, at: "standard output", done ?? advice)
    }

    /// `nil` if the file is valid JSON.
    init?(check: CheckedFile) {
        guard let fault = check.fault else { return nil }
        self.init(notJSON: check.path, fault)
    }

    func with(_ status: CommandStatus) -> ErrorProse {
        var prose = self
        prose.status = status
        return prose
    }

    /// The same error, with the name of its bridge if there are several.
    func of(bridge: String?) -> ErrorProse {
        var prose = self
        if let bridge { prose.what = "\(bridge): \(what)" }
        return prose
    }

    /// - Parameter hint: builds commands for the bridge that the error is about.
    init(_ error: any Error, _ hint: CommandHint = CommandHint()) {
        switch error {
        case let error as BridgeError: self.init(bridge: error, hint)
        case let error as UnknownDocument:
            self.init(bridge: error.error, hint)
            suggestion = nearestWord(to: error.name, among: error.known)
        case let error as MissingValue:
            let place = "`\(error.pointer)` in \(error.side.rawValue):\(error.document)"
            let advice = "\(hint("get", error.document.description)) prints the whole document"
            self.init("no such value", at: place, advice)
        case let error as FailureOfBridge:
            self = ErrorProse(error.error, hint.of(bridge: error.name)).of(bridge: error.name)
        case let error as FileError: self.init(bridge: .file(error), hint)
        case let error as ContainerFileError:
            self.init(bridge: .file(error.error), hint)
            place = error.path
        case let error as UsageError: self.init(usage: error)
        case let error as NamedFileError: self.init(file: error)
        case let error as JSONFileError: self.init(json: error)
        case let error as NamedStoreFault: self = error.prose
        case let error as MoveFault: self = error.prose(hint)
        case let error as any ErrorWithProse: self = error.prose
        case let error as ProfileError: self.init(settings: error)
        case let error as PlanFileError: self.init(plan: error)
        case let error as RaceError: self.init(race: error)
        case let error as RaceFailure: self.init(race: error)
        case let error as RealTree.Failure: self.init(race: error)
        case let error as ListenError:
            let what = "cannot listen: \(systemMessage(error.errno))"
            self.init(what, at: error.place, "choose another port or --state")
        case let error as OpenFiles.TooFew:
            let what = "an agent needs \(error.least) open files, and the limit is \(error.limit)"
            self.init(what, "raise it: `ulimit -n \(max(1024, error.least))`")
        case let error as ThisProgram.Unknown:
            let what = "cannot tell which file this program is: \(systemMessage(error.errno))"
            self.init(what, at: "/proc/self/exe", "mount /proc; start it again if it was replaced")
        case is CancellationError: self.init("interrupted", nil, .interrupted)
        default: self.init("internal error: \(error)", "please report it", .internal)
        }
    }
}

extension ErrorProse {
    private init(usage error: UsageError) {
        switch error {
        case .unknownCommand(let word, let command, let known):
            self.init("unknown command", at: "`\(word)`", "`\(command) --help` lists all commands", .usage)
            suggestion = nearestWord(to: word, among: known)
        case .unknownBridge(let name, let known):
            let advice =
                known.isEmpty
                ? "give the --config that names it" : "there are \(known.joined(separator: ", "))"
            self.init("unknown bridge", at: "`\(name)`", advice, .usage)
            suggestion = nearestWord(to: name, among: known)
        case .severalBridges(let asked, let known):
            let advice = "choose with --bridge one of \(known.joined(separator: ", "))"
            self.init("\(asked) is for one bridge, and there are several", advice, .usage)
        case .noHistory(let profile): self = .noHistory(profile: profile)
        case .unknownDocument(let name, let profile, let known):
            let advice = "choose with --document one of \(known.joined(separator: ", "))"
            self.init("profile \(profile) has no such document", at: "`\(name)`", advice, .usage)
            suggestion = nearestWord(to: name, among: known)
        case .notUTF8(let argument):
            self.init("an argument is not UTF-8", at: "`\(argument)`", "write UTF-8, or rename it", .usage)
        case .unknownVersion(let version, let profile, let known):
            let advice = "there are \(known.map(String.init).joined(separator: ", "))"
            self.init("profile \(profile) has no such version", at: "\(version)", advice, .usage)
        case .foreignOption(let option, let command, let takers):
            let name = command.split(separator: " ", maxSplits: 1).last ?? ""
            let (shown, others) = takers.count > 4 ? (3, " and \(takers.count - 3) others") : (4, "")
            let named = takers.prefix(shown).map { "`\($0)`" }.joined(separator: ", ") + others
            let what = "`\(name)` does not take \(option), which is an option of \(named)"
            self.init(what, "see `\(command) --help`", .usage)
        case .arguments(let message, let command, let meant):
            self.init(message, "see `\(command) --help`", .usage)
            suggestion = meant
        case .noContainer, .unreadableProfile, .unknownProfile, .idleHook:
            self.init(missing: error)
        case .notLoopback, .tokenMissing, .readableToken, .foreignToken, .unusableToken, .sharedPort:
            self.init(port: error)
        default: self.init(settings: error)
        }
    }

    /// Errors in the settings of a bridge or its agent.
    private init(settings error: UsageError) {
        switch error {
        case .removedBridge(_, let file, let known):
            let others = known.isEmpty ? "" : "; the others are \(known.joined(separator: ", "))"
            let what = "the subscription ended, because the configuration no longer has this bridge"
            self.init(what, at: file, "add it again, and send SIGHUP to the agent\(others)")
        case .foreignState(let state, let file, let known):
            let bridges = known.joined(separator: ", ")
            let what = "none of the bridges \(bridges) has its state in `\(state)`, and no agent runs there"
            self.init(what, at: file, "choose one with --bridge, or give --app and --group", .usage)
        case .noProfile:
            let advice = "give --profile, which describes the versions and how to migrate between them"
            self.init("no profile is named", advice, .usage)
        case .noPatchOfAsset(let document):
            self.init("an asset has no patch", at: document, "leave out --format", .usage)
        case .storesWithoutProfile:
            self.init("no profile says which stores there are", "give --profile with --stores", .usage)
        case .noStores(let profile, let platform):
            let advice = "`widgetbridge profile show \(profile)` shows the stores that it has"
            self.init("profile \(profile) names no store on \(platform.rawValue)", advice, .usage)
        case .agentKeepsProfile:
            let advice = "stop the agent, and start it with --change-profile"
            self.init("a running agent keeps its profile", advice, .usage)
        case .sharedByBridges(let setting, let names, let place):
            self.init(setting.words(names.joined(separator: " and ")), at: place, setting.advice, .usage)
        default: self.init(configuration: error)
        }
    }

    /// Errors about the file of a configuration.
    private init(configuration error: UsageError) {
        switch error {
        case .configurationExists(let path):
            let advice = "edit it, name another with --config, or add a bridge to it with --bridge NAME"
            self.init("the configuration exists already", at: path, advice)
        case .notAdded(let name, let path):
            let what = "cannot add the bridge `\(name)` to a list, or to a text in the form of JSON"
            self.init(what, at: path, "add it by hand, with `app` and `group`")
        case .unreadableConfiguration(let path, let errno):
            let what = "cannot read the configuration: \(systemMessage(errno))"
            self.init(what, at: path, "restore it, or name another with --config")
        case .writableConfiguration(let path):
            let advice = "`chmod go-w \(path.quotedForShell)`"
            self.init("others can write the configuration", at: path, advice, .usage)
        case .foreignConfiguration(let path, let owner):
            let what = "the configuration belongs to another user, \(owner)"
            self.init(what, at: path, "use a copy of your own", .usage)
        default: self.init("\(error)", "see `widgetbridge --help`", .usage)
        }
    }

    /// Errors about the agent's port and its token.
    private init(port error: UsageError) {
        switch error {
        case .notLoopback(let address):
            let advice = "give 127.0.0.1:PORT, such as `--listen 127.0.0.1:8080`"
            self.init("not the loopback address and a port", at: "--listen `\(address)`", advice, .usage)
        case .tokenMissing(let file):
            let advice =
                file == nil
                ? "give --token-file FILE, or `token-file:` in the configuration, with a token on its first line"
                : "write a token on its first line, as `openssl rand -base64 24` prints"
            self.init("no token for the port", at: file, advice, .usage)
        case .readableToken(let path):
            let advice = "`chmod go= \(path.quotedForShell)`"
            self.init("others can read or write the token", at: path, advice, .usage)
        case .foreignToken(let path, let owner):
            let what = "the token's file belongs to another user, \(owner)"
            self.init(what, at: path, "use a copy of your own", .usage)
        case .unusableToken(let path):
            let advice = "use letters, digits and `-._~+/`, then `=`, as `openssl rand -base64 24` prints"
            self.init("a request cannot carry this token", at: path, advice, .usage)
        case .sharedPort(let port, let bridges):
            let what = "the bridges \(bridges.joined(separator: " and ")) are to listen on one port"
            self.init(what, at: "127.0.0.1:\(port)", "give each bridge its own `listen`", .usage)
        default: self.init(settings: error)
        }
    }

    /// A missing container, or a profile that cannot be found or read.
    private init(missing error: UsageError) {
        switch error {
        case .idleHook(let error, let place):
            self.init(bridge: error, CommandHint())
            self.place = [self.place, place].compactMap(\.self).joined(separator: ", ")
            status = .usage
        case .noContainer(let side, let place):
            let name = side.rawValue
            let advice =
                place == nil
                ? "give --app DIR and --group DIR, such as `--\(name) ~/\(name)`, or --config FILE; "
                    + "`widgetbridge init` writes one"
                : "add it there, such as `\(name): ~/\(name)`, or give --\(name) DIR"
            self.init("no \(name) container is named", at: place, advice, .usage)
        case .unknownProfile(let name, let known, let place):
            let advice = "built in are \(known.joined(separator: ", ")); a file is named by its path"
            self.init("unknown profile", at: (place.map { "\($0) " } ?? "") + "`\(name)`", advice, .usage)
            suggestion = nearestWord(to: name, among: known)
        case .unreadableProfile(let path, let errno, let place):
            let what = "cannot read the profile: \(systemMessage(errno))"
            let known = Profile.builtInNames.joined(separator: ", ")
            let advice =
                "name a file that can be read, such as `./mine.yaml`, or one that is built in: \(known)"
            self.init(what, at: place.map { "\($0) `\(path)`" } ?? path, advice, .usage)
        default: self.init("\(error)", "see `widgetbridge --help`", .usage)
        }
    }

    /// An error in a profile or a configuration. Both use the same YAML reader.
    private init(settings error: ProfileError) {
        let place = "\(error.file):\(error.line):\(error.column)"
        if case .unknownKey(_, let known) = error.reason {
            // There may be many known keys: the position comes first.
            let advice = "the keys here are \(known.joined(separator: ", "))"
            self.init("`\(error.key)`: unknown key", at: place, advice, .usage)
        } else {
            let what = error.key.isEmpty ? error.reason.text : "`\(error.key)`: \(error.reason.text)"
            self.init(what, at: place, "correct it", .usage)
        }
        if let (word, known) = error.reason.unknownWord { suggestion = nearestWord(to: word, among: known) }
    }

    /// An error in a profile that is the command's input, not part of its settings.
    init(invalidProfile error: ProfileError) {
        self.init(settings: error)
        status = .failed
    }

    private init(file error: NamedFileError) {
        switch error {
        case .cannotRead("-", let errno):
            let what = "standard input cannot be read: \(systemMessage(errno))"
            self.init(what, "give it a file or a pipe: `< FILE`")
        case .cannotRead(let path, let errno):
            self.init("cannot read the file: \(systemMessage(errno))", at: path, "name one that can be read")
        case .cannotWrite(let path, let errno):
            self.init("cannot write the file: \(systemMessage(errno))", at: path, "choose another place")
        case .occupied(let path):
            self.init("the file exists and holds something else", at: path, "choose another name", .usage)
        case .tooLarge(let path, let limit):
            self.init("the file is larger than \(limit >> 20) MiB", at: path, "split it")
        case .notUTF8(let path): self.init("the file is not UTF-8 text", at: path, "save it as UTF-8")
        case .nameNotUTF8(let name):
            self.init("the name of the file is not UTF-8", at: name, "rename the file")
        }
    }

    private static func noHistory(profile: String?) -> ErrorProse {
        guard let profile else {
            let what = "the bridge has no profile, which would say what widgets show"
            return ErrorProse(what, "give a --profile", .usage)
        }
        let what = "nothing that widgets show has changed in the bridge's history"
        return ErrorProse(what, at: "profile \(profile)", "give a --day", .usage)
    }
}

extension SharedSetting {
    fileprivate func words(_ bridges: String) -> String {
        switch self {
        case .name: "two bridges have one name, \(bridges)"
        case .state: "the bridges \(bridges) have one state directory"
        case .containers: "the bridges \(bridges) have the same two containers"
        case .nested: "a directory of one of the bridges \(bridges) is inside a container of the other"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .name: "give each bridge its own `name`"
        case .state: "give each bridge its own `state`, or leave it out"
        case .containers: "remove one of them"
        case .nested: "name directories outside of each other"
        }
    }
}
