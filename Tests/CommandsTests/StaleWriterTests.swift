import Foundation
import TestWorld
import Testing

/// The app has its document in memory; the widget's tap reaches the app's container; then the app saves
/// what it has.
@Suite struct StaleWriterTests {
    private func withTap(_ app: LiveApp, _ body: (RealBridge) async throws -> Void) async throws {
        try await RealBridge.withAgent("--profile", app.name) { bridge in
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            try bridge.save(app.v2(with: app.byWidget), as: app.document, in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            try await body(bridge)
        }
    }

    @Test(arguments: LiveApp.all)
    func `A stale save does not undo a change that the app has not read`(_ app: LiveApp) async throws {
        try await withTap(app) { bridge in
            try bridge.save(app.v1(with: app.byApp), as: app.document, in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read(app.document, in: bridge.app) == app.v1(with: app.byApp, app.byWidget))
            #expect(bridge.read(app.document, in: bridge.group) == app.v2(with: app.byApp, app.byWidget))
            let why = try await bridge.run("why", app.document)
            #expect(why.output.contains("without having read"))
        }
    }

    @Test(arguments: LiveApp.all)
    func `An app that has read a tap may undo it`(_ app: LiveApp) async throws {
        try await withTap(app) { bridge in
            #expect(bridge.read(app.document, in: bridge.app) == app.v1(with: app.byWidget))
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read(app.document, in: bridge.app) == app.v1)
            #expect(bridge.read(app.document, in: bridge.group) == app.v2)
        }
    }

    /// Each tap is alone in the container for a moment before the app saves again. More taps with
    /// `WIDGETBRIDGE_TAPS`.
    @Test(arguments: LiveApp.all)
    func `None of many taps is lost against an app that saves from memory`(_ app: LiveApp) async throws {
        let taps = ProcessInfo.processInfo.environment["WIDGETBRIDGE_TAPS"].flatMap { Int($0) } ?? 5
        try await withTap(app) { bridge in
            for tap in 0..<taps {
                // The widget alternately sets and unsets the value; the app reads neither.
                let isTapped = tap % 2 == 1
                _ = bridge.read(app.document, in: bridge.group)
                let known = isTapped ? app.v2(with: app.byApp, app.byWidget) : app.v2(with: app.byApp)
                try bridge.save(tap == 0 ? app.v2 : known, as: app.document, in: bridge.group)
                #expect(try await bridge.wait().status == 0)
                try bridge.save(app.v1(with: app.byApp), as: app.document, in: bridge.app)
                #expect(try await bridge.wait().status == 0)
                #expect(bridge.read(app.document, in: bridge.group) == known, "tap \(tap)")
            }
        }
    }
}
