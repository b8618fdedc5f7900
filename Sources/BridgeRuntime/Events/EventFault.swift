package import StateStore

/// Why an event cannot be queued.
package enum EventFault: Sendable, Hashable {
    package enum Part: String, Sendable, Hashable { case id, kind, name }
    package enum Expected: String, Sendable, Hashable { case file, directory }

    /// It is empty, too long, or has control characters.
    case unusable(Part)
    /// Of `bytes`, as many as were read.
    case tooLarge(bytes: Int, limit: Int)
    case invalidData(BridgeError.ContentFault)
    /// The profile's links are `known`.
    case unknownLink(String, known: [String])
    /// The member `url` of its data is not text, and the profile has links.
    case linkNotText
    /// Another event has the ID.
    case otherContent(id: String)
    case full(limit: Int)
    /// The queue, or the directory that has it, is not what it must be.
    case misplaced(Expected, path: String)
    /// The queue cannot be read or written.
    case queue(JournalError, path: String)

    package var what: String {
        switch self {
        case .unusable(let part): "the event's \(part.rawValue) is not usable"
        case .tooLarge(_, let limit): "the event has more than \(limit) bytes"
        case .invalidData: "the event's data is not JSON"
        case .unknownLink: "the profile has no such deep link"
        case .linkNotText: "the member `url` of the event's data is not text"
        case .otherContent: "another event has this ID"
        case .full: "the queue of events is full"
        case .misplaced(.file, _): "cannot use the queue of events: it is not a regular file"
        case .misplaced(.directory, _): "cannot use the queue of events: it needs a directory of this name"
        case .queue(let error, _): "cannot use the queue of events: \(error.reason)"
        }
    }

    package var place: String? {
        switch self {
        case .unusable, .tooLarge, .linkNotText: nil
        case .invalidData(let fault): fault.text
        case .unknownLink(let link, _): "`\(link)`"
        case .otherContent(let id): "`\(id)`"
        case .full(let limit): "\(limit) events or 64 MiB wait"
        case .misplaced(_, let path), .queue(_, let path): path
        }
    }
}
