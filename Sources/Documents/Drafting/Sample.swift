/// A value of a sample document, which can be compared with those of other samples.
indirect enum Sample: Hashable, Sendable {
    case object(SampleObject)
    case array([Sample])
    case string(String)
    /// The number as it is written.
    case number(String)
    case bool(Bool)
    case null

    init(_ json: JSON, _ node: Int = JSON.root) {
        self =
            switch json.kind(node) {
            case .object: .object(SampleObject(json, node))
            case .array: .array(json.elements(of: node).map { Sample(json, $0) })
            case .string: .string(name(json.string(node)))
            case .number: .number(name(json.slice(node)))
            case .true: .bool(true)
            case .false: .bool(false)
            case .null: .null
            }
    }

    var object: SampleObject? { if case .object(let object) = self { object } else { nil } }
    var elements: [Sample]? { if case .array(let elements) = self { elements } else { nil } }
    var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// Whether the value is so common that two fields may have it by chance, or that it may be a
    /// placeholder.
    var isTrivial: Bool {
        switch self {
        case .object(let object): object.keys.isEmpty
        case .array(let elements): elements.isEmpty
        case .string(let text): text.isEmpty
        case .number(let text): text == "0" || text == "1"
        case .bool, .null: true
        }
    }

    /// Whether a new field usually starts with this value.
    var isEmpty: Bool { isTrivial && self != .number("1") && self != .bool(true) }

    /// The value as JSON, which is also YAML.
    var text: JSONText {
        switch self {
        case .object(let object): JSONText(object: object.keys.map { ($0, object[$0]?.text ?? .null) })
        case .array(let elements): JSONText(elements.map(\.text))
        case .string(let text): JSONText(text)
        case .number(let text): JSONText(compacting: text)
        case .bool(let flag): JSONText(flag)
        case .null: .null
        }
    }
}

/// The members of an object, in order.
struct SampleObject: Hashable, Sendable {
    private(set) var keys: [String] = []
    private var values: [String: Sample] = [:]

    init(_ json: JSON, _ node: Int) {
        for (key, value) in json.members(of: node) { self[name(json.string(key))] = Sample(json, value) }
    }

    subscript(key: String) -> Sample? {
        get { values[key] }
        set {
            if newValue == nil {
                keys.removeAll { $0 == key }
            } else if values[key] == nil {
                keys.append(key)
            }
            values[key] = newValue
        }
    }

    subscript(path: [String]) -> Sample? {
        get { path.dropFirst().reduce(path.first.flatMap { self[$0] }) { $0?.object?[$1] } }
        set {
            guard let first = path.first else { return }
            if path.count == 1 {
                self[first] = newValue
                return
            }
            guard var inner = self[first]?.object else { return }
            inner[Array(path.dropFirst())] = newValue
            self[first] = .object(inner)
        }
    }

    /// The paths of all values that are not objects.
    var leaves: [[String]] {
        keys.flatMap { key -> [[String]] in
            guard let inner = self[key]?.object, !inner.keys.isEmpty else { return [[key]] }
            return inner.leaves.map { [key] + $0 }
        }
    }
}

/// The keys of several objects, each once, in order of first occurrence.
func allKeys(of objects: [SampleObject]) -> [String] {
    var seen: Set<String> = []
    return objects.flatMap(\.keys).filter { seen.insert($0).inserted }
}
