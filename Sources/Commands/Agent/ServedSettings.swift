import BridgeRuntime
import Documents
import Glibc
import Hooks
import Logging
import Model
import SyncEngine

/// One bridge of an agent, as the command line and the configuration describe it.
struct ServedSettings: Sendable {
    struct Port: Sendable, Hashable {
        var number: Int
        /// Every request to the port must have this token.
        var token: String
    }

    /// `nil` if it is the only bridge and has no name.
    var name: String?
    var bridge: BridgeSettings
    var port: Port?
    var logLevel: Logger.Level?
    var hooks: [Hook]
    /// The settings as they are in the file, without line numbers.
    private let written: PartialSettings

    init(name: String?, _ written: PartialSettings, changingProfile: Bool) throws {
        self.name = name
        bridge = try written.complete()
        bridge.engine.changesProfile = changingProfile
        bridge.engine.reportsDeferrals = (written.logLevel ?? .info) <= .debug
        port = try written.port()
        hooks = written.hooks ?? []
        try written.checkHooks(bridge)
        logLevel = written.logLevel
        self.written = written.withoutPlaces
    }

    /// Whether a bridge with these settings, and its servers, can keep running.
    func isSame(as other: ServedSettings) -> Bool {
        name == other.name && written == other.written && port == other.port
            && bridge.profile?.yaml == other.bridge.profile?.yaml
    }

    /// Paths and ports that only one bridge can hold. Existing containers are compared by their real paths.
    var claims: Set<String> {
        let identity = try? BridgeIdentity(bridge)
        let containers = identity.map { "\($0.parts[.app] ?? "")\0\($0.parts[.group] ?? "")" }
        return Set(
            [try? bridge.stateDirectory(), containers, port.map { "port \($0.number)" }].compactMap(\.self)
        )
    }
}

extension PartialSettings {
    fileprivate var withoutPlaces: PartialSettings {
        var settings = self
        (settings.place, settings.profilePlace, settings.hookPlaces) = (nil, nil, nil)
        return settings
    }

    fileprivate func port() throws -> ServedSettings.Port? {
        guard let listen else { return nil }
        guard let number = loopbackPort(listen) else { throw UsageError.notLoopback(listen) }
        return ServedSettings.Port(number: number, token: try token())
    }

    /// Reads the token. Standard input needs no check of permissions, because only this process was given it.
    private func token() throws -> String {
        guard let tokenFile else { throw UsageError.tokenMissing(file: nil) }
        let file = try NamedFile(tokenFile)
        if file.path != "-" {
            if file.mode & 0o077 != 0 { throw UsageError.readableToken(file.path) }
            guard file.owner == geteuid() || file.owner == 0 else {
                throw UsageError.foreignToken(file.path, owner: file.owner)
            }
        }
        guard let token = try file.text().split(whereSeparator: \.isNewline).first else {
            throw UsageError.tokenMissing(file: tokenFile)
        }
        // The characters that a request's header can have (RFC 6750, 2.1).
        guard token.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }) else {
            throw UsageError.unusableToken(file.path)
        }
        return String(token)
    }
}

/// The port of `127.0.0.1:PORT`; `nil` for another text.
func loopbackPort(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]) else { return nil }
    return UInt16(parts[1]).map(Int.init)
}
