package import BridgeRuntime
import Documents

/// In a request: a header field for each part that the client names.
extension BridgeIdentity {
    package init(headerFields field: (String) -> String?) {
        var parts: [Part: String] = [:]
        for part in Part.allCases {
            parts[part] = field(part.header).flatMap { percentDecoded($0[...]) }
        }
        self.init(parts: parts)
    }

    package var headerFields: [(String, String)] {
        Part.allCases.compactMap { part in
            parts[part].map { (part.header, percentEncoded($0)) }
        }
    }
}

extension BridgeIdentity.Part {
    fileprivate var header: String { "widgetbridge-\(rawValue)" }
}
