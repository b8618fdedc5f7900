import Documents
import Glibc
package import Processes

/// Why a hook has failed.
package enum HookFailure: Error, Sendable, Hashable {
    /// A program with this name is not in `PATH`.
    case noProgram(String)
    /// The file at this path cannot be started.
    case unusableProgram(String, errno: Int32)
    /// The output begins with this line, if there is one.
    case ended(LimitedRun.End, output: String?)
    case signal(errno: Int32)
    case status(Int)
    /// The answer names another address, to which nothing is sent.
    case redirect(Int)
    case noAnswer
    /// Something that is not HTTP.
    case badAnswer
    case timedOut(Duration)

    package var text: String {
        switch self {
        case .noProgram(let name): return "no program `\(name)` in PATH"
        case .unusableProgram(let path, let errno): return "cannot start \(path): \(message(errno))"
        case .ended(let end, let output): return end.text + (output.map { ": \($0)" } ?? "")
        case .signal(let errno): return "cannot send the signal: \(message(errno))"
        case .status(let status): return "the answer has the status \(status)"
        case .redirect(let status): return "the answer is a redirect (\(status)), which is not followed"
        case .noAnswer: return "no server answers"
        case .badAnswer: return "the answer is not HTTP"
        case .timedOut(let time): return "no answer within \(time)"
        }
    }
}

extension LimitedRun.End {
    fileprivate var text: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was killed by signal \(signal)"
        case .timedOut(let time): "ran longer than \(time) and was ended"
        case .tooMuchOutput(let bytes): "printed more than \(bytes) bytes and was ended"
        case .tooManyProcesses(let count): "started more than \(count) processes and was ended"
        case .notStarted(let errno): "cannot be started: \(message(errno))"
        case .cancelled: "was ended with the agent"
        }
    }
}

private func message(_ errno: Int32) -> String {
    unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
}
