import AgentClient
package import AgentServer
package import BridgeRuntime
import Foundation
import Glibc
import Logging
package import Model
import ServiceLifecycle
import TestWorld

package struct Gone: Error {
    package init() {}
}

/// Serves the bridge on its own socket while `body` runs.
@discardableResult
package func withServer<Result: Sendable>(
    of bridge: FakeBridge,
    authorization: RequestAuthorization = .owner,
    gate: ConnectionGate = .patient,
    _ body: @Sendable @escaping (_ socketPath: String) async throws -> Result
) async throws -> Result {
    let directory = "/tmp/wb-http-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = "\(directory)/agent.sock"
    return try await withServer(of: bridge, on: .socket(path), authorization, gate) { _ in
        try await body(path)
    }
}

/// The whole answer to one request. `headers`: each with the end of its line.
package func answer(
    of bridge: FakeBridge,
    to line: String,
    _ headers: String = "",
    body: String = ""
) async throws -> String {
    try await withServer(of: bridge) { socketPath in
        let connection = try RawConnection(socketPath: socketPath)
        let length = "Content-Length: \(body.utf8.count)\r\n"
        try await connection.send(
            "\(line) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(length)\(headers)\r\n\(body)"
        )
        return await connection.receiveAll()
    }
}

/// Serves a bridge on its own socket while `body` runs.
@discardableResult
package func withServer<Result: Sendable>(
    of bridge: BridgeRuntime.Bridge,
    _ body: @Sendable @escaping () async throws -> Result
) async throws -> Result {
    try await withServer(of: bridge, on: .socket(bridge.socketPath), .owner) { _ in try await body() }
}

@discardableResult
package func withServer<Result: Sendable>(
    of bridge: any BridgeAccess,
    on address: ListeningSocket.Address,
    _ authorization: RequestAuthorization,
    _ gate: ConnectionGate = .patient,
    _ body: @Sendable @escaping (_ port: Int?) async throws -> Result
) async throws -> Result {
    let socket = try ListeningSocket(address)
    defer { socket.close() }
    return try await withServer(of: bridge, on: socket, authorization, gate) { try await body(socket.port) }
}

/// Serves a bridge on a socket, which stays open afterwards.
@discardableResult
package func withServer<Result: Sendable>(
    of bridge: any BridgeAccess,
    on socket: ListeningSocket,
    _ authorization: RequestAuthorization,
    _ gate: ConnectionGate = .patient,
    _ body: () async throws -> Result
) async throws -> Result {
    let server = AgentServer(
        bridge: bridge,
        socket: socket,
        authorization: authorization,
        gate: gate,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let group = ServiceGroup(
        services: [server],
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let result = try await body()
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return result
    }
}

package func path(_ text: String) throws -> RelativePath {
    guard let path = RelativePath(text) else { throw Gone() }
    return path
}

/// A socket that accepts connections in the kernel only, so that nothing sent to it is read.
package func listeningSocket(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = unsafe withSocketAddress(unixAddress(path)) { unsafe bind(descriptor, $0, $1) }
    guard result == 0, listen(descriptor, 8) == 0 else { throw Gone() }
    return descriptor
}

package func datagramSocket(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let result = unsafe withSocketAddress(unixAddress(path)) { unsafe bind(descriptor, $0, $1) }
    guard result == 0 else { throw Gone() }
    return descriptor
}

/// A port that was free a moment ago.
package func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    guard unsafe withSocketAddress(address, { unsafe bind(descriptor, $0, $1) }) == 0 else { throw Gone() }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe getsockname(descriptor, $0, &length)
        }
    }
    guard result == 0 else { throw Gone() }
    return Int(UInt16(bigEndian: address.sin_port))
}

private func unixAddress(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return address
}

private func withSocketAddress<Address>(
    _ address: Address,
    _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
) -> Int32 {
    unsafe withUnsafeBytes(of: address) { bytes in
        unsafe body(
            bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
            socklen_t(MemoryLayout<Address>.size)
        )
    }
}

/// A connection on which anything can be sent.
package final class RawConnection {
    private let descriptor: Int32
    private let sendFlags = Int32(MSG_NOSIGNAL)

    package init(socketPath: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try connect(unixAddress(socketPath))
    }

    package init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        try connect(address)
    }

    deinit { hangUp() }

    private var isOpen = true

    private func connect<Address>(_ address: Address) throws {
        let result = unsafe withSocketAddress(address) { unsafe Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else { throw Gone() }
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) async throws {
        let isSent = await onThread { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { buffer in
                    unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isSent else { throw Gone() }
    }

    /// Ends the sending side, and keeps receiving.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    package func hangUp() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// What arrives next; empty at the end.
    package func receive() async -> String {
        await onThread { [descriptor] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    /// Receives until the text has arrived, or until the end.
    package func receive(until text: String) async -> String {
        var all = ""
        while !all.contains(text) {
            let more = await receive()
            if more.isEmpty { break }
            all += more
        }
        return all
    }

    /// Receives everything until the other side closes.
    package func receiveAll() async -> String { await receive(until: "\u{0}never sent") }
}

extension ConnectionGate {
    /// A test that waits for a processor loses no connection.
    package static var patient: ConnectionGate {
        var limits = Limits(descriptors: 4_096)
        limits.patience = .seconds(3_600)
        return ConnectionGate(limits)
    }
}
