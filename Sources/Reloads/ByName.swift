import Model

/// Values of documents by their names.
///
/// They are stored as one object of JSON. Two names that only look alike are the same key there: with such
/// names, they are stored as a list of names and values.
@propertyWrapper
struct ByName<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    var wrappedValue: [RelativePath: Value]

    init(wrappedValue: [RelativePath: Value]) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        guard let object = try? [String: Value](from: decoder) else {
            wrappedValue = try .init(from: decoder)
            return
        }
        wrappedValue = [:]
        for (name, value) in object {
            guard let path = RelativePath(name) else { continue }
            wrappedValue[path] = value
        }
    }

    func encode(to encoder: any Encoder) throws {
        let object = Dictionary(wrappedValue.map { ($0.key.description, $0.value) }) { first, _ in first }
        if object.count == wrappedValue.count {
            try object.encode(to: encoder)
        } else {
            try wrappedValue.encode(to: encoder)
        }
    }
}
