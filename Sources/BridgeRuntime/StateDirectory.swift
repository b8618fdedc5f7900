import FoundationEssentials
import Glibc
import Model

extension BridgeSettings {
    /// Where the journal, the lock and the socket of this bridge are: as said, else beneath
    /// `$XDG_STATE_HOME`, named by a hash of both real paths, so that two bridges never share one.
    package func stateDirectory() throws(BridgeError) -> String {
        if let state { return state }
        let containers = try Self.realPath(app) + "\0" + Self.realPath(group)
        let name = Digest(of: Array(containers.utf8)).hex.prefix(16)
        return "\(try Self.stateHome())/widgetbridge/\(name)"
    }

    /// Where an agent of this bridge listens.
    package func socketPath() throws(BridgeError) -> String {
        try stateDirectory() + "/agent.sock"
    }

    static func stateHome() throws(BridgeError) -> String {
        try stateHome(in: ProcessInfo.processInfo.environment, ownHome: ownHome)
    }

    /// - Parameter ownHome: what is known of the user, should the environment say nothing.
    package static func stateHome(
        in environment: [String: String],
        ownHome: String?
    ) throws(BridgeError) -> String {
        // The specification says that a path that is not absolute is to be taken for none.
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

    /// Of a container that is gone the name is known still: an agent that holds because of it can be asked.
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
