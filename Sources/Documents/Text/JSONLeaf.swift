/// A value that has no other in it, with its place in the document. Empty objects and arrays are none.
package struct JSONLeaf: Hashable, Sendable {
    /// A JSON pointer, with `-` in the place of an element's number, or the element's own `id`.
    package var place: String
    /// Equal values have equal hashes.
    package var value: UInt64
    /// It stands in an array, where several leaves can have one place.
    package var isListed: Bool
    /// It is a number that does not stand in an array.
    package var isNumber = false

    /// What the document says, without order: two that are equal by value have the same leaves.
    ///
    /// An element of an array that is an object with an `id` (or `_id`, `uuid`, `key`) is taken apart, and
    /// any other element is one leaf as a whole.
    ///
    /// - Returns: `nil` if there are more than `most`.
    package static func all(of json: JSON, most: Int) -> Set<JSONLeaf>? {
        var collector = LeafCollector(json)
        return collector.leaves(most: most)
    }

    package init(place: String, value: UInt64, isListed: Bool, isNumber: Bool = false) {
        self.place = place
        self.value = value
        self.isListed = isListed
        self.isNumber = isNumber
    }
}

/// Takes a document apart into its leaves.
struct LeafCollector {
    private let json: JSON
    private let digests: [UInt64]
    private var found: Set<JSONLeaf> = []
    private var open: [(node: Int, place: String)] = [(JSON.root, "")]

    private static let identities: [[UInt8]] = ["id", "_id", "uuid", "key"].map { Array($0.utf8) }

    init(_ json: JSON) {
        self.json = json
        digests = DigestedJSON(json).digests
    }

    /// - Returns: `nil` if there are more than `most`.
    mutating func leaves(most: Int) -> Set<JSONLeaf>? {
        while let (node, place) = open.popLast() {
            guard found.count + open.count <= most else { return nil }
            switch json.kind(node) {
            case .object:
                for (key, value) in json.members(of: node) {
                    let name = String(decoding: json.string(key), as: UTF8.self)
                    open.append((value, "\(place)/\(Self.escaped(name))"))
                }
            case .array: takeApart(node, place)
            case let kind:
                let leaf = JSONLeaf(
                    place: place,
                    value: digests[node],
                    isListed: false,
                    isNumber: kind == .number
                )
                found.insert(leaf)
            }
        }
        return found
    }

    private mutating func takeApart(_ array: Int, _ place: String) {
        var counts: [UInt64: UInt64] = [:]
        for element in json.elements(of: array) {
            if let identity = identity(of: element) {
                open.append((element, "\(place)/\(identity)"))
                continue
            }
            // Equal elements are told apart by their number.
            let count = counts[digests[element], default: 0]
            counts[digests[element]] = count + 1
            let value = digests[element] &+ mixed(count)
            found.insert(JSONLeaf(place: place + "/-", value: value, isListed: true))
        }
    }

    /// `id=7`, as text of the document.
    private func identity(of element: Int) -> String? {
        guard json.kind(element) == .object else { return nil }
        for key in Self.identities {
            guard let value = json.value(of: key, in: element), [.string, .number].contains(json.kind(value))
            else { continue }
            let text = json.kind(value) == .string ? json.string(value) : json.slice(value)
            return Self.escaped(String(decoding: key + [UInt8(ascii: "=")] + text, as: UTF8.self))
        }
        return nil
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
