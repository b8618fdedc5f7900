import Documents

extension StoreMapping {
    /// A document made of the store's fields; `nil` if the store has none of them.
    func composed(
        from values: (String) -> StoreValue?,
        at version: Int?,
        last: [UInt8]?
    ) throws(StoreMismatch) -> [UInt8]? {
        var found: [StoreValue?] = []
        for field in store.fields {
            found.append(
                try located(field.key) { () throws(StoreMismatch.Reason) in
                    try encoding.decode(field.key, of: field.type.storeType(in: store), from: values)
                }
            )
        }
        guard found.contains(where: { $0 != nil }) else { return nil }
        let version = version ?? document.newest
        let start = last.flatMap { try? JSON(parsing: $0, limits: Self.limits) }
        var draft = ComposedDocument(start)
        if start == nil, let version, let key = document.versionField(of: version) {
            draft.set(JSONPointer(tokens: [key]), .number(String(version)), for: "")
        }
        for (field, value) in zip(store.fields, found) {
            // What the field is in the last document stays as it is written there.
            let before = start.flatMap { try? stored(field, of: $0, at: version) }
            if start != nil, before == value { continue }
            let pointer = store.start[version].appending(field.pointer)
            let conversion = FieldConversion(field, at: pointer, in: store, zone: document.zone)
            let json = try located(field.key) { () throws(StoreMismatch.Reason) in
                try value.map { value throws(StoreMismatch.Reason) in try conversion.documented(value) }
            }
            draft.set(pointer, json, for: field.key)
        }
        guard draft.misplaced == nil, let result = draft.finished else {
            // Without a document, this side would seem to have deleted it.
            throw mismatch(draft.misplaced?.field ?? "", .noPlace(draft.misplaced?.pointer ?? .root))
        }
        return result
    }
}

/// A document that changes by one value after the other, with everything else as it was written.
private struct ComposedDocument {
    private let start: JSON?
    private var operations: [JSONValue] = []
    private var made: Set<JSONPointer> = []
    /// The first value whose parent is a scalar, and the key of its field.
    private(set) var misplaced: (pointer: JSONPointer, field: String)?

    init(_ start: JSON?) { self.start = start }

    /// `nil` removes the value.
    mutating func set(_ pointer: JSONPointer, _ value: JSONValue?, for field: String) {
        guard let value else {
            if exists(pointer) { add("remove", pointer, nil) }
            return
        }
        for count in pointer.tokens.indices {
            let parent = JSONPointer(tokens: Array(pointer.tokens.prefix(count)))
            guard !exists(parent) else {
                if isScalar(parent) { misplaced = misplaced ?? (pointer, field) }
                continue
            }
            add("add", parent, .object([]))
            made.insert(parent)
        }
        add("add", pointer, value)
        made.insert(pointer)
    }

    /// `nil` if a value is misplaced.
    var finished: [UInt8]? {
        let empty = Array("{}".utf8)
        guard let document = start ?? (try? JSON(parsing: empty)),
            let patch = try? JSON(parsing: JSONValue.array(operations).bytes, limits: .unbounded)
        else { return nil }
        return try? JSONPatch(patch).apply(to: document).bytes
    }

    private func exists(_ pointer: JSONPointer) -> Bool {
        made.contains(pointer) || start.flatMap(pointer.bytes) != nil
    }

    private func isScalar(_ pointer: JSONPointer) -> Bool {
        guard !made.contains(pointer), let start, let value = try? pointer.value(in: start) else {
            return false
        }
        return value.kind != .object && value.kind != .array
    }

    private mutating func add(_ name: String, _ pointer: JSONPointer, _ value: JSONValue?) {
        func member(_ key: String, _ value: JSONValue) -> JSONValue.Member {
            JSONValue.Member(key: Array(key.utf8), value: value)
        }
        let path = JSONValue.string(Array(pointer.description.utf8))
        let members = [member("op", .string(Array(name.utf8))), member("path", path)]
        operations.append(.object(members + (value.map { [member("value", $0)] } ?? [])))
    }
}
