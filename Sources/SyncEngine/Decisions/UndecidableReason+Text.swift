import Documents
import Model

/// The wording in HTTP responses and on the command line.
extension UndecidableReason {
    package var text: String {
        switch self {
        case .excluded(let document, let exclusion): "\(document) is not synced: \(exclusion.text)"
        case .conflictOfNoDocument: "its document is unknown"
        case .conflictOfNoSide: "the side it comes from is unknown"
        case .conflictTooLarge(let side, _): "\(side.rawValue)'s content is above the size limit"
        case .conflictWithoutContent(let side): "\(side.rawValue)'s content was not kept"
        case .invalidFile(let violation): violation.located.behind("the file violates its schema at ").text
        case .trashOfNoDocument: "origin unknown"
        case .trashOfView(let view, let document, _):
            "\(view) is a view of \(document), and only the bridge writes it"
        case .trashTooLarge: "it is above the size limit"
        }
    }

    /// What to do instead.
    package var advice: String {
        switch self {
        case .excluded: "change that in the configuration or the profile, and try again"
        case .conflictOfNoDocument(let file), .trashOfNoDocument(let file):
            "copy it to its document by hand: it is \(file) in the state directory"
        case .conflictOfNoSide(let file): "resolve it with a file: its copy is \(file) in the state directory"
        case .conflictTooLarge(_, let file):
            "resolve it with a file, or leave it: its copy is \(file) in the state directory"
        case .conflictWithoutContent: "resolve it with a file, or leave it: the document stays as it is"
        case .invalidFile: "correct the file; nothing was written"
        case .trashOfView(_, let document, let file):
            "copy what is missing to \(document) by hand: it is \(file) in the state directory"
        case .trashTooLarge(let file):
            "copy what you need from it by hand: it is \(file) in the state directory"
        }
    }
}
