/// A `PatchError` that does not have the number of the operation yet.
enum PatchFault: Error {
    case missing(JSONPointer)
    case badIndex(JSONPointer, count: Int)
    case testFailed(JSONPointer, expected: [UInt8], found: [UInt8])
    case movesIntoItself(from: JSONPointer, JSONPointer)
    case removesAll
    case document(DocumentError)

    func error(operation: Int) -> PatchError {
        switch self {
        case .missing(let pointer): .missing(operation: operation, pointer: pointer.description)
        case .badIndex(let pointer, let count):
            .badIndex(operation: operation, pointer: pointer.description, count: count)
        case .testFailed(let pointer, let expected, let found):
            .testFailed(
                operation: operation,
                pointer: pointer.description,
                expected: expected,
                found: found
            )
        case .movesIntoItself(let from, let pointer):
            .movesIntoItself(
                operation: operation,
                from: from.description,
                pointer: pointer.description
            )
        case .removesAll: .removesAll(operation: operation)
        case .document(let error): .document(operation: operation, error)
        }
    }
}

/// A document while a patch is applied to it.
struct PatchRun {
    var draft: Draft
    let patch: JSON
    private let patchNumber: Int
    /// An upper bound for the size of the document since it was last measured, because of copies.
    private var size: Int

    init(draft: Draft, patch: JSON) {
        self.draft = draft
        self.patch = patch
        size = draft.documents[0].bytes.count
        patchNumber = self.draft.add(patch)
    }

    mutating func apply(_ operation: JSONPatch.Operation) throws(PatchFault) {
        switch operation {
        case .add(let pointer, let node): try add(value(node), at: pointer)
        case .remove(let pointer): try remove(pointer)
        case .replace(let pointer, let node): try replace(pointer, with: value(node))
        case .move(let from, let pointer): try move(from, to: pointer)
        case .copy(let from, let pointer):
            let source = try existing(from)
            try makeRoom(for: source)
            try add(try document { draft throws(DocumentError) in try draft.copy(source) }, at: pointer)
        case .test(let pointer, let node): try test(pointer, node)
        }
    }

    /// Limits the size of the document. Only copies can make it much larger than the patch: forty of them
    /// double it forty times.
    private mutating func makeRoom(for copied: Draft.Value) throws(PatchFault) {
        let limit = draft.documents[0].limits.maxBytes
        let bytes = draft.leastBytes(of: copied, limit: limit)
        size += bytes
        if size <= limit { return }
        size = draft.leastBytes(of: draft.root, limit: limit) + bytes
        if size > limit { throw .document(.json(.tooLarge(bytes: size, limit: limit))) }
    }

    private func value(_ node: Int) -> Draft.Value { Draft.Value(document: patchNumber, index: node) }

    private mutating func document<Result>(
        _ body: (inout Draft) throws(DocumentError) -> Result
    ) throws(PatchFault) -> Result {
        do throws(DocumentError) {
            return try body(&draft)
        } catch {
            throw .document(error)
        }
    }

    private mutating func existing(_ pointer: JSONPointer) throws(PatchFault) -> Draft.Value {
        let value = try document { draft throws(DocumentError) in try draft.value(at: pointer) }
        guard let value else { throw .missing(pointer) }
        return value
    }

    /// The opened container of the value at a pointer, which need not exist yet.
    private mutating func parent(
        of pointer: JSONPointer
    ) throws(PatchFault) -> (parent: Draft.Value, token: [UInt8]) {
        let parent = JSONPointer(tokens: Array(pointer.tokens.dropLast()))
        let opened = try document { draft throws(DocumentError) in try draft.open(at: parent) }
        guard let opened, let token = pointer.tokens.last else { throw .missing(parent) }
        return (opened, token)
    }

    /// Replacing the root opens nothing, so the check that opening makes is done here.
    private func checkRoot() throws(PatchFault) {
        if draft.documents[0].hasByteOrderMark { throw .document(.json(.byteOrderMark)) }
    }

    private mutating func add(_ value: Draft.Value, at pointer: JSONPointer) throws(PatchFault) {
        guard !pointer.tokens.isEmpty else {
            try checkRoot()
            draft.root = value
            return
        }
        let (parent, token) = try parent(of: pointer)
        let count = draft.count(of: parent)
        if draft.kind(parent) == .object {
            if let index = draft.index(of: token, in: parent) {
                _ = draft.change(parent) { $0.items[index].value = value }
            } else {
                let item = Draft.Item(key: draft.makeKey(token), value: value, slot: nil)
                _ = draft.change(parent) { $0.items.append(item) }
            }
            return
        }
        guard let index = token == [UInt8(ascii: "-")] ? count : arrayIndex(token), index <= count else {
            throw .badIndex(pointer, count: count)
        }
        _ = draft.change(parent) { $0.items.insert(Draft.Item(key: nil, value: value, slot: nil), at: index) }
    }

    /// The container and the index of a value that must exist.
    private mutating func place(
        of pointer: JSONPointer
    ) throws(PatchFault) -> (parent: Draft.Value, index: Int) {
        let (parent, token) = try parent(of: pointer)
        guard let index = draft.index(of: token, in: parent) else { throw .missing(pointer) }
        return (parent, index)
    }

    private mutating func remove(_ pointer: JSONPointer) throws(PatchFault) {
        guard !pointer.tokens.isEmpty else { throw .removesAll }
        let (parent, index) = try place(of: pointer)
        _ = draft.change(parent) { $0.items.remove(at: index) }
    }

    private mutating func replace(_ pointer: JSONPointer, with value: Draft.Value) throws(PatchFault) {
        guard !pointer.tokens.isEmpty else { return try add(value, at: pointer) }
        let (parent, index) = try place(of: pointer)
        _ = draft.change(parent) { $0.items[index].value = value }
    }

    private mutating func move(_ from: JSONPointer, to pointer: JSONPointer) throws(PatchFault) {
        let value = try existing(from)
        if from == pointer { return }
        guard !pointer.tokens.starts(with: from.tokens) else {
            throw .movesIntoItself(from: from, pointer)
        }
        try remove(from)
        try add(value, at: pointer)
    }

    private mutating func test(_ pointer: JSONPointer, _ node: Int) throws(PatchFault) {
        let found = try existing(pointer)
        guard draft.isEqual(found, to: patch, node) else {
            let text = DraftPrinter.text(of: found, in: draft)
            throw .testFailed(pointer, expected: patch.slice(node), found: text)
        }
    }
}
