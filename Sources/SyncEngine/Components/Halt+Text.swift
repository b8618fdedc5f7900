import Model

/// Status, logs, and the answers to commands and over HTTP say it in the same words.
extension Halt {
    package var text: String {
        let container = "the \(side.rawValue) container"
        return switch reason {
        case .lostAll(1): "the last document is gone from \(container)"
        case .lostAll(let count): "all \(count) documents are gone from \(container)"
        case .lost(let count, let known, let crossed):
            "\(count) of \(known) documents are gone from \(container) at once"
                + (crossed.map { ", \($0) of them from the other, too" } ?? "")
        case .gone: "\(container) is gone"
        case .returned, .replaced: "another directory stands where \(container) was"
        case .unmarked:
            "\(container) does not bear its mark: it was replaced, or has lost its attributes"
        case .isOther: "the path of \(container) leads to the \(side.other.rawValue) container"
        case .unreachable(let error): "\(container) cannot be reached: \(error.what)"
        case .unreadable(let error): "\(container) cannot be read: \(error.what)"
        }
    }
}
