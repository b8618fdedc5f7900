/// A JSON Patch (RFC 6902): a list of operations that are all applied, or none.
package struct JSONPatch: Sendable {
    enum Operation: Sendable {
        /// Values are nodes of the patch's document.
        case add(JSONPointer, Int)
        case remove(JSONPointer)
        case replace(JSONPointer, Int)
        case move(from: JSONPointer, JSONPointer)
        case copy(from: JSONPointer, JSONPointer)
        case test(JSONPointer, Int)
    }

    /// The patch as a document.
    package let json: JSON
    let operations: [Operation]

    package var isEmpty: Bool { operations.isEmpty }
    package var count: Int { operations.count }

    package init(_ json: JSON) throws(PatchError) {
        guard json.kind(JSON.root) == .array else {
            throw .malformed(json.position(of: JSON.root), expected: "an array of operations")
        }
        self.json = json
        var operations: [Operation] = []
        for element in json.elements(of: JSON.root) {
            operations.append(try OperationReader(json: json, node: element).operation())
        }
        self.operations = operations
    }

    /// The values are nodes of `document`.
    init(_ operations: [Operation], valuesOf document: JSON) {
        json = document
        self.operations = operations
    }

    /// The document after all operations.
    package func apply(to document: JSON) throws(PatchError) -> JSON {
        var run = PatchRun(draft: Draft(document), patch: json)
        for (number, operation) in operations.enumerated() {
            do throws(PatchFault) {
                try run.apply(operation)
            } catch {
                throw error.error(operation: number)
            }
        }
        do throws(DocumentError) {
            return try run.draft.finished()
        } catch {
            throw .document(operation: max(0, operations.count - 1), error)
        }
    }
}

/// Reads one operation. Unknown members are ignored, as the RFC requires.
private struct OperationReader {
    let json: JSON
    let node: Int

    func operation() throws(PatchError) -> JSONPatch.Operation {
        guard json.kind(node) == .object else { throw malformed(node, "an operation, which is an object") }
        if let refusal = json.refusal(toEdit: node), let position = refusal.position {
            throw .malformed(position, expected: "every key once")
        }
        let path = try pointer("path")
        let name = try member("op")
        switch String(decoding: json.kind(name) == .string ? json.string(name) : [], as: UTF8.self) {
        case "add": return .add(path, try member("value"))
        case "remove": return .remove(path)
        case "replace": return .replace(path, try member("value"))
        case "move": return .move(from: try pointer("from"), path)
        case "copy": return .copy(from: try pointer("from"), path)
        case "test": return .test(path, try member("value"))
        default: throw malformed(name, "one of `add`, `remove`, `replace`, `move`, `copy`, `test`")
        }
    }

    private func member(_ key: String) throws(PatchError) -> Int {
        guard let value = json.value(of: Array(key.utf8), in: node) else {
            throw malformed(node, "`\(key)` in the operation")
        }
        return value
    }

    private func pointer(_ key: String) throws(PatchError) -> JSONPointer {
        let value = try member(key)
        guard json.kind(value) == .string, let pointer = JSONPointer(bytes: json.string(value)) else {
            throw malformed(value, "a JSON Pointer as `\(key)`")
        }
        return pointer
    }

    private func malformed(_ node: Int, _ expected: String) -> PatchError {
        .malformed(json.position(of: node), expected: expected)
    }
}
