extension Draft {
    /// The result of following one token of a pointer.
    enum Found {
        case value(Value)
        case nothing
        /// The value is neither an object nor an array.
        case scalar
    }

    /// Follows one token of a pointer from `value`, without opening a container.
    func step(_ token: [UInt8], from value: Value) throws(DocumentError) -> Found {
        guard kind(value) == .object || kind(value) == .array else { return .scalar }
        guard let number = value.document else { return stepBuilt(token, from: value) }
        let document = documents[number]
        if kind(value) == .array {
            guard let index = arrayIndex(token) else { return .nothing }
            for (place, element) in document.elements(of: value.index).enumerated() where place == index {
                return .value(Value(document: number, index: element))
            }
            return .nothing
        }
        // With duplicate keys it is ambiguous which member is meant.
        if let refusal = document.refusal(toEdit: value.index) { throw .json(refusal) }
        let member = document.value(of: token, in: value.index)
        return member.map { .value(Value(document: number, index: $0)) } ?? .nothing
    }

    private func stepBuilt(_ token: [UInt8], from value: Value) -> Found {
        index(of: token, in: value).flatMap { container(value)?.items[$0].value }.map { .value($0) }
            ?? .nothing
    }

    /// The index of a member or element in an opened container; `nil` if it has none.
    func index(of token: [UInt8], in value: Value) -> Int? {
        guard let container = container(value) else { return nil }
        guard container.isObject else {
            return arrayIndex(token).flatMap { $0 < container.items.count ? $0 : nil }
        }
        return index(ofKey: token, in: value)
    }

    /// The number of items in an opened container.
    func count(of value: Value) -> Int { container(value)?.items.count ?? 0 }

    /// The value that a pointer leads to; `nil` if there is none.
    func value(at pointer: JSONPointer) throws(DocumentError) -> Value? {
        var value = root
        for token in pointer.tokens {
            guard case .value(let next) = try step(token, from: value) else { return nil }
            value = next
        }
        return value
    }

    /// Opens every container that the pointer passes, and the last one; `nil` if there is none.
    mutating func open(at pointer: JSONPointer) throws(DocumentError) -> Value? {
        guard kind(root) == .object || kind(root) == .array else { return nil }
        root = try open(root)
        var value = root
        for token in pointer.tokens {
            guard let index = index(of: token, in: value), let child = container(value)?.items[index].value,
                kind(child) == .object || kind(child) == .array
            else { return nil }
            let opened = try open(child)
            if opened != child { _ = change(value) { $0.items[index].value = opened } }
            value = opened
        }
        return value
    }

    /// A copy of the value, which does not change when the original is edited.
    mutating func copy(_ value: Value) throws(DocumentError) -> Value {
        guard value.document == nil, container(value) != nil else { return value }
        let copy = duplicate(value)
        var pending = [copy]
        while let next = pending.popLast() {
            for (index, item) in (container(next)?.items ?? []).enumerated()
            where item.value.document == nil && container(item.value) != nil {
                let inner = duplicate(item.value)
                _ = change(next) { $0.items[index].value = inner }
                pending.append(inner)
            }
            // Each container takes at least two bytes, so that more of them than this could never be
            // printed.
            let limit = documents[0].limits.maxBytes
            guard partCount <= limit else { throw .json(.tooLarge(bytes: partCount, limit: limit)) }
        }
        return copy
    }

    /// The value, marked as made by a lens, with everything in it.
    mutating func derived(_ value: Value) -> Value {
        var value = value
        value.isDerived = true
        var pending = [value]
        while let next = pending.popLast() {
            _ = change(next) { container in
                for index in container.items.indices {
                    container.items[index].value.isDerived = true
                    pending.append(container.items[index].value)
                }
            }
        }
        return value
    }

    /// A lower bound for the printed size of a value. It stops counting once the bound exceeds `limit`.
    func leastBytes(of value: Value, limit: Int) -> Int {
        var bytes = 0
        var pending = [value]
        while let next = pending.popLast(), bytes <= limit {
            if let number = next.document {
                bytes += documents[number].range(of: next.index).count
            } else if let container = container(next) {
                // Its brackets, a comma between two items, and a colon after each key.
                bytes += 1 + max(1, container.items.count)
                for item in container.items {
                    if item.key != nil { bytes += 3 }
                    pending.append(item.value)
                }
            } else {
                bytes += text(next).count
            }
        }
        return bytes
    }

    private mutating func duplicate(_ value: Value) -> Value {
        guard let container = container(value) else { return value }
        var copy = make(container)
        copy.isDerived = value.isDerived
        return copy
    }

    /// The value as a document of its own.
    func json(_ value: Value) -> JSON? {
        try? JSON(parsing: DraftPrinter.text(of: value, in: self), limits: .unbounded)
    }

    /// Whether both are equal by value.
    func isEqual(_ value: Value, to other: JSON, _ node: Int) -> Bool {
        if let document = value.document { return documents[document].isEqual(value.index, to: other, node) }
        return json(value)?.isEqual(JSON.root, to: other, node) ?? false
    }
}
