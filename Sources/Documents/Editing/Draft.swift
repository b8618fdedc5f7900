/// A document under construction, made of parts of other documents.
///
/// Unchanged values stay references into their documents and are printed as they stand there. Only the
/// containers on the path to an edit are opened. The parts lie in one array and refer to each other by
/// index, so that no operation recurses, however deeply a document nests.
struct Draft {
    /// A value: a node of a document, or a part made here.
    struct Value: Hashable {
        /// The index of its document; `nil` if it was made here.
        var document: Int?
        /// The index of its node, or its index in `parts`.
        var index: Int
        /// Whether a lens made it, so that it represents nothing of the original document.
        var isDerived = false
    }

    /// A key of a document, or one made here.
    ///
    /// It holds no reference-counted storage, like items and values, because lists of them are searched and
    /// copied often.
    struct Key {
        /// The index of its document; `nil` if it was made here.
        fileprivate var document: Int?
        /// The index of its node, or its index in `names`.
        fileprivate var index: Int

        static func node(document: Int, _ node: Int) -> Key { Key(document: document, index: node) }
    }

    /// An element, or a member with its key.
    struct Item {
        var key: Key?
        var value: Value
        /// Where it stood in the container it was opened from, whose white space it keeps.
        var slot: Slot?
    }

    struct Slot {
        /// The offset after the opening bracket or the previous item.
        var gap: Int
        var key: Int?
        var value: Int
    }

    struct Container {
        var isObject: Bool
        var items: [Item]
        /// The value that it was opened from.
        var origin: Value?
    }

    private enum Part {
        case container(Container)
        /// The JSON text of a scalar.
        case text([UInt8])
    }

    private(set) var documents: [JSON]
    private var parts: [Part] = []
    /// JSON strings with their quotes.
    private var names: [[UInt8]] = []
    var root: Value

    /// Begins as an unchanged copy of `document`.
    init(_ document: JSON) {
        documents = [document]
        root = Value(document: 0, index: JSON.root)
    }

    /// Makes the values of another document available; returns the document's index.
    mutating func add(_ document: JSON) -> Int {
        documents.append(document)
        return documents.count - 1
    }

    /// Whether it is still an unchanged copy of its document.
    var isUntouched: Bool { root.document == 0 && root.index == JSON.root }

    func kind(_ value: Value) -> JSONNode.Kind {
        if let document = value.document { return documents[document].kind(value.index) }
        switch parts[value.index] {
        case .container(let container): return container.isObject ? .object : .array
        case .text(let text): return JSONNode.Kind(beginning: text)
        }
    }

    /// The JSON text of a scalar.
    func text(_ value: Value) -> [UInt8] {
        if let document = value.document { return documents[document].slice(value.index) }
        guard case .text(let text) = parts[value.index] else { return [] }
        return text
    }

    /// The content of a string; `nil` for any other value.
    func string(_ value: Value) -> [UInt8]? {
        guard kind(value) == .string else { return nil }
        let text = text(value)
        return unescaped(text, 1..<text.count - 1)
    }

    /// The position of the value in its document; `nil` if it was made here.
    func position(_ value: Value) -> JSONPosition? {
        value.document.map { documents[$0].position(of: value.index) }
    }

    /// A new value with this JSON text. A container becomes a document of its own, so that it can be opened
    /// like any other.
    mutating func make(_ text: [UInt8]) -> Value {
        let kind = JSONNode.Kind(beginning: text)
        guard kind == .object || kind == .array, let json = try? JSON(parsing: text, limits: .unbounded)
        else {
            return make(.text(text))
        }
        return Value(document: add(json), index: JSON.root)
    }

    mutating func make(_ container: Container) -> Value { make(.container(container)) }

    private mutating func make(_ part: Part) -> Value {
        parts.append(part)
        return Value(document: nil, index: parts.count - 1)
    }

    func container(_ value: Value) -> Container? {
        guard value.document == nil, case .container(let container) = parts[value.index] else { return nil }
        return container
    }

    /// Changes an opened container in place.
    mutating func change<Result>(_ value: Value, _ body: (inout Container) -> Result) -> Result? {
        guard value.document == nil, case .container(var container) = parts[value.index] else { return nil }
        // It is taken out during the change, so that its items are not copied.
        parts[value.index] = .text([])
        defer { parts[value.index] = .container(container) }
        return body(&container)
    }

    /// An opened copy of a container. It throws if parsers may disagree about the container, as with
    /// duplicate keys.
    mutating func open(_ value: Value) throws(DocumentError) -> Value {
        guard let number = value.document else { return value }
        let document = documents[number]
        if document.hasByteOrderMark { throw .json(.byteOrderMark) }
        if let refusal = document.refusal(toEdit: value.index) { throw .json(refusal) }
        var gap = document.range(of: value.index).lowerBound + 1
        var items: [Item] = []
        let isObject = document.kind(value.index) == .object
        func add(key: Int?, value node: Int) {
            items.append(
                Item(
                    key: key.map { .node(document: number, $0) },
                    // What a lens made is derived in all of its parts.
                    value: Value(document: number, index: node, isDerived: value.isDerived),
                    slot: Slot(gap: gap, key: key, value: node)
                )
            )
            gap = document.range(of: node).upperBound
        }
        if isObject {
            for member in document.members(of: value.index) { add(key: member.key, value: member.value) }
        } else {
            for element in document.elements(of: value.index) { add(key: nil, value: element) }
        }
        var opened = make(Container(isObject: isObject, items: items, origin: value))
        opened.isDerived = value.isDerived
        return opened
    }

    var partCount: Int { parts.count }

    /// A new key named `name`.
    mutating func makeKey(_ name: [UInt8]) -> Key {
        names.append(escaped(name))
        return Key(document: nil, index: names.count - 1)
    }

    /// The name of a key.
    func bytes(of key: Key) -> [UInt8] {
        if let document = key.document { return documents[document].string(key.index) }
        return unescaped(names[key.index], 1..<names[key.index].count - 1)
    }

    /// Whether a key is named `name`.
    func isKey(_ key: Key, _ name: [UInt8]) -> Bool {
        if let document = key.document { return documents[document].isKey(key.index, name) }
        return bytes(of: key) == name
    }

    /// Whether an item has the key and the value that it has in its document.
    func isUntouched(_ item: Item, _ document: Int) -> Bool {
        guard let slot = item.slot, item.value.document == document, item.value.index == slot.value,
            !item.value.isDerived
        else { return false }
        return slot.key == nil || (item.key?.document == document && item.key?.index == slot.key)
    }

    func append(_ key: Key, to output: inout [UInt8]) {
        if let document = key.document {
            output += documents[document].bytes[documents[document].range(of: key.index)]
        } else {
            output += names[key.index]
        }
    }

    /// The index of the member named `key` in an opened object.
    func index(ofKey key: [UInt8], in object: Value) -> Int? {
        guard object.document == nil, case .container(let container) = parts[object.index] else { return nil }
        for (index, item) in container.items.enumerated() {
            if let found = item.key, isKey(found, key) { return index }
        }
        return nil
    }
}

extension JSONNode.Kind {
    /// The kind of a scalar, which its first byte determines.
    init(beginning text: [UInt8]) {
        switch text.first {
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"): self = .true
        case UInt8(ascii: "f"): self = .false
        case UInt8(ascii: "n"): self = .null
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        default: self = .number
        }
    }
}
