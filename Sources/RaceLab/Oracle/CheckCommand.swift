import Glibc
package import Model
package import Processes

/// Why a check of the user's said neither that all is well nor that something is wrong.
package enum CheckTrouble: Fact {
    case ended(Ending)
    case tooLong(Duration)
    case tooMuchOutput
    /// Processes of it were running when it had ended.
    case leftRunning
    case cannotRun(errno: Int32)
    /// No directory could be made for the copies of the containers, or no document written there.
    case noCopy
    case interrupted
    /// Documents, by their paths, were not the same when it had ended.
    case changed([Location])

    package var text: String {
        switch self {
        case .ended(let ending): ending.words
        case .tooLong(let limit): "was still running after \(limit)"
        case .tooMuchOutput: "printed more than 1 MiB"
        case .leftRunning: "ended and left processes running"
        case .cannotRun(let errno):
            "cannot be run: \(systemMessage(errno))"
        case .noCopy: "cannot be given a copy of the containers"
        case .interrupted: "was interrupted"
        case .changed(let files):
            "changed " + files.map { "\($0.root.rawValue)/\($0.path)" }.joined(separator: ", ")
                + ", or another program did while it ran"
        }
    }
}

/// A shell command of the user that says by its exit status whether the containers are as they should be.
struct CheckCommand {
    let command: String
    /// A check that takes longer is ended.
    let limit: Duration

    enum Outcome: Hashable {
        case holds
        /// The last line of its output; `nil` if it printed nothing.
        case fails(String?)
        case undecided(CheckTrouble)
    }

    private static let mostBytes = 1 << 20

    func run(_ environment: [String: String], isAsked: () -> Bool) -> Outcome {
        let child: ChildCommand
        do throws(RaceFailure) {
            child = try ChildCommand(command, environment: environment, isHeard: true)
        } catch {
            guard case .cannotRun(_, let errno) = error else { return .undecided(.noCopy) }
            return .undecided(.cannotRun(errno: errno))
        }
        defer { child.end(patience: .zero) }
        let deadline = ContinuousClock.now + limit
        var output = CheckOutput()
        while true {
            // What it printed before its end is all there once its end is known.
            let ending = child.ended()
            output.add(contentsOf: child, until: Self.mostBytes)
            if output.count > Self.mostBytes { return .undecided(.tooMuchOutput) }
            if let ending {
                return child.hasProcesses ? .undecided(.leftRunning) : outcome(ending, output.lastLine)
            }
            if isAsked() { return .undecided(.interrupted) }
            if ContinuousClock.now > deadline { return .undecided(.tooLong(limit)) }
            _ = poll(nil, 0, 2)
        }
    }

    private func outcome(_ ending: Ending, _ words: String?) -> Outcome {
        switch ending {
        case .exited(0): .holds
        case .exited(1): .fails(words)
        default: .undecided(.ended(ending))
        }
    }
}

/// How much a check printed, and its end.
private struct CheckOutput {
    private(set) var count = 0
    private var end: [UInt8] = []

    /// A longer line is cut.
    private static let mostLine = 1_000

    /// Adds what is there.
    mutating func add(contentsOf child: ChildCommand, until most: Int) {
        while count <= most {
            let bytes = child.bytes()
            if bytes.isEmpty { return }
            count += bytes.count
            end = Array((end + bytes).suffix(8 * Self.mostLine))
        }
    }

    /// The last line that is not blank.
    var lastLine: String? {
        let lines = String(decoding: end, as: UTF8.self).split { $0.isNewline }
        let line = lines.last { $0.contains { !$0.isWhitespace } }
        return line.map { String($0.prefix(Self.mostLine)) }
    }
}
