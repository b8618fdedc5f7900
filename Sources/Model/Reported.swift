/// What happened, or why, as a value. Printers turn it into text.
package protocol Fact: Sendable, Hashable {
    var text: String { get }
}

/// A fact, or the text of one: an agent sends only the text over its socket.
package enum Reported<Value: Fact>: Sendable, Hashable {
    case known(Value)
    case reported(String)

    package var text: String {
        switch self {
        case .known(let fact): fact.text
        case .reported(let text): text
        }
    }
}

extension Reported: Codable {
    package init(from decoder: any Decoder) throws {
        self = .reported(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
