/// What the agent does when widgets reload, as the user's configuration says.
package struct Hook: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        /// A program and its arguments, without a shell between. The program is a path, or a name that is
        /// looked for in `PATH`.
        case command([String])
        /// A signal to all processes of this user that run a program.
        case signal(program: String, number: Int32)
        case post(LocalAddress)
    }

    /// For reports; each hook of a bridge has another one.
    package var name: String
    /// Only of this kind; `nil`: of all.
    package var kind: String?
    package var document: String?
    package var timeout = Duration.seconds(10)
    package var action: Action

    /// Its name among those that acknowledge reloads. A hook without a name of its own is called `hook 1`.
    package var listener: String { name.hasPrefix("hook ") ? name : "hook \(name)" }

    /// The times that it may have.
    package static let times = Duration.milliseconds(1)...Duration.seconds(600)
    /// The most hooks of a bridge.
    package static let most = 32

    package init(
        name: String,
        kind: String? = nil,
        document: String? = nil,
        timeout: Duration = .seconds(10),
        action: Action
    ) {
        (self.name, self.kind, self.document) = (name, kind, document)
        (self.timeout, self.action) = (timeout, action)
    }
}

/// A server on this machine. Its host is an address, since a name may mean another machine.
package struct LocalAddress: Sendable, Hashable {
    enum Host: Sendable, Hashable {
        case loopback(String, port: Int)
        case socket(String)
    }

    var host: Host
    /// With a leading slash.
    var path: String

    /// A Unix socket.
    package init(socket: String, path: String) { (host, self.path) = (.socket(socket), path) }

    /// `http://127.0.0.1:8080/path`, or the same with `[::1]`; `nil` for anything else.
    package init?(url: String) {
        let scheme = "http://"
        guard url.hasPrefix(scheme), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
            return nil
        }
        let rest = url.dropFirst(scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        guard let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[colon...].dropFirst()),
            port > 0
        else { return nil }
        let host = String(authority[..<colon])
        guard host == "[::1]" || Self.isLoopback(host) else { return nil }
        self.host = .loopback(host == "[::1]" ? "::1" : host, port: Int(port))
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
    }

    /// 127.0.0.0/8, in four decimal numbers: other notations of addresses are read differently.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        return parts.count == 4 && numbers.count == 4 && numbers[0] == 127
    }
}
