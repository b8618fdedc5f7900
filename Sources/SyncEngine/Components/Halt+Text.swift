import Model

/// The wording in the status, the log, HTTP responses and on the command line.
extension Halt {
    package var text: String {
        let container = "the \(side.rawValue) container"
        return switch reason {
        case .lostAll(1): "the last document is gone from \(container)"
        case .lostAll(let count): "all \(count) documents are gone from \(container)"
        case .lost(let count, let known, let crossed):
            "\(count) of \(known) documents are gone from \(container)"
                + (crossed.map { ", \($0) of them also from the other container" } ?? "")
        case .gone: "\(container) is gone"
        case .returned, .replaced: "\(container) was replaced by another directory"
        case .unmarked:
            "\(container) does not carry its ID: it was replaced, or lost its extended attributes"
        case .swapped:
            "\(container) carries the ID of the \(side.other.rawValue) container: "
                + "the two may be named the wrong way round"
        case .isOther: "the path of \(container) leads to the \(side.other.rawValue) container"
        case .unreachable(let error): "\(container) cannot be reached: \(error.what)"
        case .unreadable(let error): "\(container) cannot be read: \(error.what)"
        }
    }
}
