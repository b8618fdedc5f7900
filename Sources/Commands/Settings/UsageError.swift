import BridgeRuntime
import Documents
import Model

/// A wrong usage: the request or its settings cannot be used.
enum UsageError: Error, Hashable {
    /// `at` is the position of the bridge in a configuration, if it is there.
    case noContainer(Side, at: String? = nil)
    /// Only a profile says which stores there are.
    case storesWithoutProfile
    case noStores(profile: String, on: StorePlatform)
    /// An unknown subcommand.
    case unknownCommand(String, of: String, known: [String])
    /// `at` is the option, or the line of a file, that names the profile.
    case unreadableProfile(String, errno: Int32, at: String? = nil)
    case unknownProfile(String, known: [String], at: String? = nil)
    case unknownBridge(String, known: [String])
    /// The configuration had the bridge when the command began.
    case removedBridge(String, from: String, known: [String])
    /// The option or command is for one bridge, but several are chosen.
    case severalBridges(_ forOne: String, known: [String])
    /// None of the bridges in the configuration has this state directory.
    case foreignState(String, at: String?, known: [String])
    /// Nothing that widgets show has changed, or there is no profile.
    case noHistory(profile: String?)
    case unknownDocument(String, profile: String, known: [String])
    /// No patch can change an asset.
    case noPatchOfAsset(String)
    /// A migration needs a profile.
    case noProfile
    /// Only the start of an agent can change its profile.
    case agentKeepsProfile
    /// The argument, in a printable form.
    case notUTF8(String)
    case unknownVersion(Int, profile: String, known: [Int])
    case notLoopback(String)
    case tokenMissing(file: String?)
    /// Other users can read or write the token.
    case readableToken(String)
    /// A new configuration would replace the file.
    case configurationExists(String)
    /// The configuration is not written as a mapping with one bridge below the other.
    case notAdded(String, to: String)
    case foreignToken(String, owner: UInt32)
    /// The token has characters that a request's header cannot have.
    case unusableToken(String)
    /// The bridge has no such kind or document: a hook would never run. `at` is its position in the
    /// configuration.
    case idleHook(BridgeError, at: String?)
    /// Several bridges have the same port.
    case sharedPort(Int, [String])
    /// `at` is the position of the second bridge in the configuration.
    case sharedByBridges(SharedSetting, [String], at: String?)
    case unreadableConfiguration(String, errno: Int32)
    case writableConfiguration(String)
    case foreignConfiguration(String, owner: UInt32)
    /// The command does not take the option, but these others do.
    case foreignOption(String, command: String, takers: [String])
    /// A message of the parser.
    case arguments(String, command: String, meant: String? = nil)
}

/// A setting in which the bridges of a configuration must differ.
enum SharedSetting: Hashable {
    case name, state, containers
    /// A directory of one is inside a container of the other.
    case nested
}

/// A file from the command line cannot be used.
enum NamedFileError: Error, Hashable {
    case cannotRead(String, errno: Int32)
    case cannotWrite(String, errno: Int32)
    /// The file exists, and is not an older one of what is to be written.
    case occupied(String)
    case tooLarge(String, limit: Int)
    case notUTF8(String)
    /// The name, escaped.
    case nameNotUTF8(String)
}
