import Logging
import Synchronization
import Testing
import WidgetBridge

@Suite struct OwnBridgeTests {
    @Test func `A bridge is closed even if its user throws`() async throws {
        struct Trouble: Error {}
        try await withContainers { app, group, state in
            let options = Options(state: state, logger: silent)
            await #expect(throws: Trouble.self) {
                try await withBridge(app: app, group: group, options: options) { _ in throw Trouble() }
            }
            let count = try await withBridge(app: app, group: group, options: options) { bridge in
                try await bridge.documents().count
            }
            #expect(count == 0)
        }
    }

    @Test func `Notices end when the bridge is closed`() async throws {
        try await withContainers { app, group, state in
            let bridge = try await Bridge(
                app: app,
                group: group,
                options: Options(state: state, logger: silent)
            )
            let notices = bridge.notices()
            await bridge.close()
            for try await _ in notices { Issue.record("there is no document") }
        }
    }

    @Test func `Without the helper, a bridge that requires it says how to build it`() async throws {
        try await withContainers { app, group, state in
            let options = Options(
                state: state,
                watching: .inotify,
                helper: "/none/widgetbridge-watch",
                logger: silent
            )
            var failure: BridgeFailure?
            do throws(BridgeFailure) { _ = try await Bridge(app: app, group: group, options: options) } catch
            {
                failure = error
            }
            #expect(failure?.reason == .notWatching)
            let description = try #require(failure?.description)
            #expect(description.contains("/none/widgetbridge-watch"))
            #expect(description.contains("swift build --product widgetbridge-watch"))
        }
    }

    @Test func `Without the helper, the log and the status report polling`() async throws {
        try await withContainers { app, group, state in
            let log = KeptLog()
            let logger = Logger(label: "test") { _ in log }
            let options = Options(state: state, helper: "/none/widgetbridge-watch", logger: logger)
            try await withBridge(app: app, group: group, options: options) { bridge in
                let status = try await bridge.status()
                #expect(status.watch == .polling)
                #expect(status.reason?.contains("/none/widgetbridge-watch") == true)
            }
            #expect(log.warnings.contains { $0.contains("/none/widgetbridge-watch") })
        }
    }

    @Test func `A bridge that is set to poll polls, and reports it`() async throws {
        try await withContainers { app, group, state in
            let options = Options(state: state, watching: .polling, logger: silent)
            try await withBridge(app: app, group: group, options: options) { bridge in
                #expect(try await bridge.status().watch == .polling)
                try await bridge.write("{}".utf8, to: "a.json", in: .app)
                try await bridge.wait(timeout: .seconds(60))
                #expect(try await bridge.read("a.json", in: .group).bytes == Array("{}".utf8))
            }
        }
    }
}

/// Keeps messages at `warning` and above.
private struct KeptLog: LogHandler {
    private final class Lines: Sendable { let all = Mutex<[String]>([]) }

    private let lines = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning
    var warnings: [String] { lines.all.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.all.withLock { $0.append("\(event.message)") } }
}
