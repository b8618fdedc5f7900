import Model

/// The answers over HTTP and the command line say it in the same words.
extension UndecidableReason {
    package var text: String {
        switch self {
        case .conflictOfNoDocument: "its origin is unknown"
        case .conflictOfNoSide: "nobody knows which side it comes from"
        case .conflictTooLarge(let side, _): "what \(side.rawValue) had is larger than a document may be"
        case .conflictWithoutContent(let side): "what \(side.rawValue) had is not known"
        case .trashOfNoDocument: "origin unknown"
        case .trashOfView(let view, let document, _):
            "\(view) is a view of \(document), and only the bridge writes it"
        case .trashTooLarge: "it is larger than a document may be"
        }
    }

    /// What to do instead.
    package var advice: String {
        switch self {
        case .conflictOfNoDocument(let file), .trashOfNoDocument(let file):
            "put it where it belongs: it is \(file) in the state directory"
        case .conflictOfNoSide(let file): "take a file: the kept one is \(file) in the state directory"
        case .conflictTooLarge(_, let file):
            "take a file, or nothing: the kept one is \(file) in the state directory"
        case .conflictWithoutContent: "take a file, or nothing: what stands there stays"
        case .trashOfView(_, let document, let file):
            "put what is missing into \(document): it is \(file) in the state directory"
        case .trashTooLarge(let file): "take what is wanted of it: it is \(file) in the state directory"
        }
    }
}
