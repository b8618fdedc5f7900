import FoundationEssentials
import Glibc
import Model

extension BridgeSettings {
    /// The directory of the journal, the lock and the socket: as configured, or else in `$XDG_STATE_HOME`,
    /// named by a hash of both real paths, so that no two bridges share one. A container that is named by a
    /// link keeps the state directory that it had when it was used first, wherever the link leads now.
    package func stateDirectory() throws(BridgeError) -> String {
        if let state { return state }
        if let alias = try stateAlias(), unsafe access(alias, F_OK) == 0 { return alias }
        return try Self.stateDirectory(of: Self.realPath(app), Self.realPath(group))
    }

    /// The state directory of a bridge of these containers with their sides exchanged, if there is one and
    /// none of this bridge: it would overwrite newer documents and bring deleted ones back.
    func stateOfSwapped(for own: String) throws(BridgeError) -> String? {
        guard state == nil, unsafe access(own, F_OK) != 0 else { return nil }
        let swapped = try Self.stateDirectory(of: Self.realPath(group), Self.realPath(app))
        return unsafe access(swapped + "/journal.sqlite", F_OK) == 0 ? swapped : nil
    }

    /// A link to the state directory, named by a hash of the containers' paths as given; `nil` if these have
    /// no links in them, or the state directory is configured.
    func stateAlias() throws(BridgeError) -> String? {
        guard state == nil else { return nil }
        let named = [app, group].map(Self.absolutePath)
        let real = try [Self.realPath(app), Self.realPath(group)]
        return named == real ? nil : try Self.stateDirectory(of: "link:" + named[0], named[1])
    }

    private static func stateDirectory(of app: String, _ group: String) throws(BridgeError) -> String {
        let name = Digest(of: Array((app + "\0" + group).utf8)).hex.prefix(16)
        return "\(try stateHome())/widgetbridge/\(name)"
    }

    /// The path as given, with its links.
    static func absolutePath(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// The socket of this bridge's agent.
    package func socketPath() throws(BridgeError) -> String {
        try stateDirectory() + "/agent.sock"
    }

    static func stateHome() throws(BridgeError) -> String {
        try stateHome(in: ProcessInfo.processInfo.environment, ownHome: ownHome)
    }

    /// - Parameter ownHome: the user's home directory, in case the environment has none.
    package static func stateHome(
        in environment: [String: String],
        ownHome: String?
    ) throws(BridgeError) -> String {
        // The XDG specification says to ignore a relative path.
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return home }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/state" }
        guard let ownHome, ownHome.hasPrefix("/") else { throw .noHome }
        return ownHome + "/.local/state"
    }

    private static var ownHome: String? {
        guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir else {
            return nil
        }
        return unsafe String(cString: home)
    }

    /// If the container is gone, its path is still resolved as far as possible: its halted agent must be
    /// reachable.
    static func realPath(_ path: String) throws(BridgeError) -> String {
        if let known = resolved(path) { return known }
        let code = errno
        guard code == ENOENT || code == ENOTDIR else { throw .unreadableDirectory(path, errno: code) }
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.popLast(), name != "..", name != "." else { throw .missingDirectory(path) }
        let above = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
        guard let directory = resolved(above) else { throw .missingDirectory(path) }
        return directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
