import BridgeRuntime
import FoundationEssentials
import Glibc
import ServiceLifecycle

/// Watches and syncs until the agent is told to end.
struct BridgeService: Service {
    let bridge: Bridge

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await bridge.run() }
    }
}

/// Says `ready` once every bridge is reconciled and can be asked.
struct Announcer: Service {
    let bridges: [Bridge]
    let servers: Int
    let listening: AsyncStream<Void>
    let terminal: Terminal

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var signals = listening.makeAsyncIterator()
            for _ in 0..<servers { _ = await signals.next() }
            for bridge in bridges { await bridge.ready() }
            guard !Task.isCancelled else { return }
            terminal.print("ready\n")
            ServiceManager.tell("READY=1")
        }
        try? await gracefulShutdown()
        ServiceManager.tell("STOPPING=1")
    }
}

/// systemd, where it started this process and wants to know (`sd_notify(3)`).
enum ServiceManager {
    static func tell(_ message: String) {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract socket's name begins with a zero byte, written as `@`.
        let name = path.hasPrefix("@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = MemoryLayout<sockaddr_un>.size - room + name.count
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe sendto(
                    descriptor,
                    bytes,
                    bytes.count,
                    Int32(MSG_NOSIGNAL),
                    address,
                    socklen_t(length)
                )
            }
        }
    }
}

/// Each subscriber has a socket, and the usual limit of 1,024 is soon reached.
enum OpenFiles {
    /// For one bridge: its journal, its watcher, a document under way, and some who ask.
    static let least = 64

    struct TooFew: Error, Hashable {
        var limit: Int
        var least: Int
    }

    /// With too few the libraries end the process somewhere, or a socket waits for ever.
    static func raiseLimit(bridges: Int) throws(TooFew) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            let soft = limit.rlim_cur
            limit.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
                limit.rlim_cur = soft
            }
        }
        let few = TooFew(limit: Int(clamping: limit.rlim_cur), least: least * bridges)
        if few.limit < few.least { throw few }
    }
}
