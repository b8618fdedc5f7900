import BridgeRuntime
import Documents
import FileSystem
import FoundationEssentials
import Glibc
import ServiceLifecycle
import UnixSignals

/// Reports `ready` once every bridge is reconciled and answers requests.
struct Announcer: Service {
    let supervisor: BridgeSupervisor
    let terminal: Terminal

    func run() async throws {
        let bridges = await supervisor.served
        if terminal.isInteractive {
            for one in bridges { terminal.complain(one.introduction) }
        } else {
            await supervisor.warnOfEverything()
        }
        await cancelWhenGracefulShutdown { [terminal, supervisor] in
            for one in bridges { await one.start() }
            guard !Task.isCancelled else { return }
            terminal.print("ready\n")
            ServiceManager.notify("READY=1")
            ServiceManager.notify(await supervisor.statusLine())
        }
        try? await gracefulShutdown()
        ServiceManager.notify("STOPPING=1")
    }
}

extension ServedBridge {
    /// The first lines on a terminal, for a person who starts the agent by hand.
    fileprivate var introduction: String {
        let layout = Layout(columns: terminalColumns(of: STDERR_FILENO))
        let lines: [(start: String, text: String?)] = [
            ("bridge", settings.name), ("app", bridge.identity?.parts[.app] ?? settings.bridge.app),
            ("group", bridge.identity?.parts[.group] ?? settings.bridge.group),
            ("profile", settings.bridge.profile?.id ?? "none: \(BridgeSettings.allCrosses)"),
            ("state", bridge.stateDirectory), ("socket", bridge.socketPath),
        ]
        return lines.flatMap { start, text in
            text.map { layout.wrapped(start.padded(to: 9), $0.withoutControls) } ?? []
        }.map { "\($0)\n" }.joined()
    }
}

/// Reloads the configuration on SIGHUP.
struct Reloader: Service {
    let supervisor: BridgeSupervisor
    let hangups: UnixSignalsSequence
    let terminal: Terminal

    func run() async throws {
        for await _ in hangups.cancelOnGracefulShutdown() {
            // If standard error is no terminal any more, the terminal of the agent was closed.
            if terminal.isInteractive, isatty(STDERR_FILENO) == 0 { return await supervisor.shutDown() }
            await supervisor.reload()
        }
    }
}

/// Notifies systemd's watchdog while the bridges answer, at twice the required rate (sd_watchdog_enabled(3)).
struct Watchdog: Service {
    let supervisor: BridgeSupervisor

    func run() async throws {
        guard let interval = ServiceManager.watchdogInterval else { return }
        try? await cancelWhenGracefulShutdown { [supervisor] in
            while true {
                try await Task.sleep(for: interval / 2)
                ServiceManager.notify("WATCHDOG=1\n\(await supervisor.statusLine())")
            }
        }
    }
}

/// Messages to systemd (`sd_notify(3)`), if it started this process and expects them.
enum ServiceManager {
    /// Until `READY=1` systemd shows the agent as reloading.
    static func notifyReloading() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        notify("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    static var watchdogInterval: Duration? {
        let environment = ProcessInfo.processInfo.environment
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
            environment["WATCHDOG_PID"].map({ $0 == "\(getpid())" }) ?? true
        else { return nil }
        return .microseconds(microseconds)
    }

    static func notify(_ message: String) {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else { return }
        // The name of an abstract socket is written with `@` for its zero byte (sd_notify(3)).
        let name = path.hasPrefix("@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        guard let address = UnixAddress(name) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        _ = unsafe address.pass { unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
    }
}

/// Raises the limit on open files: each subscriber has a socket, and the usual limit
/// of 1,024 is soon reached.
enum OpenFiles {
    /// Enough for one bridge: its journal, its watcher, a document that is written, and a few clients.
    static let least = 64

    struct TooFew: Error, Hashable {
        var limit: Int
        var least: Int
    }

    /// Below that a library may crash, or a client may wait for ever.
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
