extension Draft {
    /// What one step of a pointer finds.
    enum Found {
        case value(Value)
        case nothing
        /// It is neither an object nor an array.
        case scalar
    }

    /// The value that one step leads to, without opening anything.
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
        // Of two members with one name, which one is meant?
        if let refusal = document.refusal(toEdit: value.index) { throw .json(refusal) }
        let member = document.value(of: token, in: value.index)
        return member.map { .value(Value(document: number, index: $0)) } ?? .nothing
    }

    private func stepBuilt(_ token: [UInt8], from value: Value) -> Found {
        index(of: token, in: value).flatMap { container(value)?.items[$0].value }.map { .value($0) }
            ?? .nothing
    }

    /// The place of a member or element in an opened container; `nil` where there is none.
    func index(of token: [UInt8], in value: Value) -> Int? {
        guard let container = container(value) else { return nil }
        guard container.isObject else {
            return arrayIndex(token).flatMap { $0 < container.items.count ? $0 : nil }
        }
        return index(ofKey: token, in: value)
    }

    /// Of the items of an opened container.
    func count(of value: Value) -> Int { container(value)?.items.count ?? 0 }

    /// The value at the end of a pointer; `nil` where there is none.
    func value(at pointer: JSONPointer) throws(DocumentError) -> Value? {
        var value = root
        for token in pointer.tokens {
            guard case .value(let next) = try step(token, from: value) else { return nil }
            value = next
        }
        return value
    }

    /// Opens every container on the way, and the last one; `nil` where there is none.
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

    /// The same value again, which does not change when the other one is edited.
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
            // Each container takes two bytes at least: so many could never be printed.
            let limit = documents[0].limits.maxBytes
            guard partCount <= limit else { throw .json(.tooLarge(bytes: partCount, limit: limit)) }
        }
        return copy
    }

    /// The same value as one that a lens made up, with all that is in it.
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

    /// What it takes at least to print a value; once that is more than `limit`, it is not looked at further.
    func leastBytes(of value: Value, limit: Int) -> Int {
        var bytes = 0
        var pending = [value]
        while let next = pending.popLast(), bytes <= limit {
            if let number = next.document {
                bytes += documents[number].range(of: next.index).count
            } else if let container = container(next) {
                // Its brackets, a comma between two, a colon behind each key.
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

    /// By value.
    func isEqual(_ value: Value, to other: JSON, _ node: Int) -> Bool {
        if let document = value.document { return documents[document].isEqual(value.index, to: other, node) }
        let text = DraftPrinter.text(of: value, in: self)
        guard let json = try? JSON(parsing: text, limits: .unbounded) else { return false }
        return json.isEqual(JSON.root, to: other, node)
    }
}
