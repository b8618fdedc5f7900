import AgentAPI
package import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

/// Which clients are answered.
package enum RequestAuthorization: Sendable {
    /// Processes of these users, as the kernel reports the peer of a Unix socket.
    case users(Set<uid_t>)
    /// Clients that send the token, as `Authorization: Bearer TOKEN`.
    case token(String)

    /// The user of this process, and root.
    package static var owner: RequestAuthorization { .users([geteuid(), 0]) }

    func check(_ request: Request, on channel: any Channel) async throws(ProblemDetails) {
        switch self {
        case .users(let users):
            guard let user = await peerUser(of: channel), users.contains(user) else {
                throw ProblemDetails(status: .forbidden, detail: "this socket belongs to another user")
            }
        case .token(let token):
            guard let given = request.headers[.authorization].flatMap(bearerToken), isSame(given, token)
            else {
                throw ProblemDetails(
                    status: .unauthorized,
                    detail: "send the token as `Authorization: Bearer TOKEN`"
                )
            }
        }
    }
}

/// The token behind the scheme's name, whose case does not matter (RFC 9110, 11.1); `nil` for another scheme.
private func bearerToken(_ header: String) -> String? {
    let scheme = header.prefix { $0 != " " }
    guard scheme.lowercased() == "bearer" else { return nil }
    return String(header[scheme.endIndex...].drop { $0 == " " })
}

/// The user of the peer's process; `nil` if the kernel does not report it.
private func peerUser(of channel: any Channel) async -> uid_t? {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    let credentials: EventLoopFuture<PeerCredentials> = socket.unsafeGetSocketOption(
        level: .socket,
        name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
    )
    return try? await credentials.get().user
}

/// Has the layout of the kernel's `struct ucred`, which Glibc does not export to Swift.
private struct PeerCredentials: Sendable {
    var process: pid_t = 0
    var user: uid_t = 0
    var group: gid_t = 0
}

/// Compares in constant time, so that a token cannot be guessed byte by byte.
private func isSame(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}
