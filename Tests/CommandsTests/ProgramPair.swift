import Foundation
import RaceLab
import TestWorld
import Testing

/// Two programs that live as long as the test does, and the order in which they act.
struct ProgramPair: Sendable, CustomTestStringConvertible {
    enum Turn: Sendable {
        /// Shell code: `load`, `edit SED`, `rename` and `inPlace` treat `$held`, what the program holds of
        /// its document.
        case app(String)
        case widget(String)
        /// A program that has nothing to do with the two.
        case another(String)
        /// The agent has nothing left to do.
        case rest
    }

    var name: String
    var document = "n.json"
    var start = #"{"a":0,"b":0}"#
    var profile: String?
    var turns: [Turn]
    /// What both containers hold of the document at the end, where that is the point.
    var end: String?

    var testDescription: String { name }

    fileprivate var helpers: String {
        """
        load() { held=$(cat \(document)); }
        edit() { held=$(printf '%s' "$held" | sed "$1"); }
        rename() { printf '%s' "$held" > .new && mv .new \(document); }
        inPlace() { printf '%s' "$held" > \(document); }
        """
    }
}

/// Two programs at work, beside an agent.
struct ProgramPairAtWork: Sendable {
    let pair: ProgramPair
    let bridge: RealBridge
    private let app: Running
    private let widget: Running

    init(_ pair: ProgramPair, _ bridge: RealBridge) throws {
        self.pair = pair
        self.bridge = bridge
        app = try Running(command: ["/bin/sh"], in: bridge.app)
        widget = try Running(command: ["/bin/sh"], in: bridge.group)
        for program in [app, widget] { program.say(pair.helpers) }
    }

    /// A turn that was not taken to its end.
    struct Unfinished: Error {
        let turn: ProgramPair.Turn
    }

    /// Returns once that is done.
    func take(_ turn: ProgramPair.Turn) throws {
        let isDone =
            switch turn {
            case .app(let code): act(app, code)
            case .widget(let code): act(widget, code)
            case .another(let code):
                try Running(command: ["/bin/sh", "-c", code], in: bridge.root).waitForEnd().status == 0
            case .rest: try Running(["wait", "--timeout", "60s"] + bridge.flags).waitForEnd().status == 0
            }
        guard isDone else { throw Unfinished(turn: turn) }
    }

    private func act(_ program: Running, _ code: String) -> Bool {
        program.say("\(code)\necho done")
        return program.waitForLine() == "done"
    }

    /// All turns, while the lab watches; it has seen what a turn left before the next begins.
    func watched() throws -> ObservationReport {
        let observer = try Observer(ObserverSettings(app: bridge.app, group: bridge.group))
        defer { observer.close() }
        var rest = pair.turns[...]
        var wakes = 0
        var failure: (any Error)?
        let report = try observer.observe(
            until: { _ in
                wakes += 1
                guard wakes.isMultiple(of: 3) else { return false }
                guard let turn = rest.popFirst() else { return true }
                do { try take(turn) } catch { failure = error }
                return failure != nil
            },
            isHurried: { true }
        )
        if let failure { throw failure }
        return report
    }

    /// The documents of both containers, by path.
    func documents() throws -> [String: String] {
        var found: [String: String] = [:]
        for side in ["app", "group"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(bridge.root)/\(side)")
            for path in paths where path.hasSuffix(".json") {
                found["\(side)/\(path)"] = bridge.read(path, in: "\(bridge.root)/\(side)")
            }
        }
        return found
    }
}
