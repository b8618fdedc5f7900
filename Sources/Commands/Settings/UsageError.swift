import Model

/// What was asked for cannot be done as it was asked.
enum UsageError: Error, Hashable {
    /// Of a bridge that stands in a file, with its place there.
    case noContainer(Side, at: String? = nil)
    /// Of a command that has others.
    case unknownCommand(String, of: String, known: [String])
    /// Where it is named: an option, or a line of a file.
    case unreadableProfile(String, errno: Int32, at: String? = nil)
    case unknownProfile(String, known: [String], at: String? = nil)
    case unknownBridge(String, known: [String])
    /// A flag or a command that is for one bridge, with several chosen.
    case severalBridges(_ forOne: String, known: [String])
    case unknownDocument(String, profile: String, known: [String])
    /// A migration is described by a profile.
    case noProfile
    /// Only a start can change it.
    case agentKeepsProfile
    /// An argument, as a line that can be printed.
    case notUTF8(String)
    case unknownVersion(Int, profile: String, known: [Int])
    case notLoopback(String)
    case tokenMissing(file: String?)
    /// Whoever can read it has the token.
    case readableToken(String)
    /// A new one would take its place.
    case configurationExists(String)
    case foreignToken(String, owner: UInt32)
    /// It holds what no header can carry.
    case unusableToken(String)
    /// Bridges that are to listen on one port.
    case sharedPort(Int, [String])
    case writableConfiguration(String)
    case foreignConfiguration(String, owner: UInt32)
    /// Of a command that does not take it, where others do.
    case foreignOption(String, command: String, takers: [String])
    /// As the parser words it.
    case arguments(String, command: String, meant: String? = nil)
}

/// A file that a person named cannot be used.
enum NamedFileError: Error, Hashable {
    case cannotRead(String, errno: Int32)
    case cannotWrite(String, errno: Int32)
    case tooLarge(String, limit: Int)
    case notUTF8(String)
}
