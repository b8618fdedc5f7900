import Foundation

/// Values that the journal keeps as JSON.
package enum StoredJSON {
    package static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(value) else { preconditionFailure("plain values") }
        return String(decoding: data, as: UTF8.self)
    }

    /// `nil` for a text of another release that is not such a value.
    package static func value<Value: Decodable>(_ type: Value.Type, of text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
