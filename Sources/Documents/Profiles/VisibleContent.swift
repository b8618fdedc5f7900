extension WidgetKind {
    /// What the kind shows of a document of the newest version: bytes that are the same for equal values,
    /// however they are written, without what the kind ignores. A missing value differs from `null`.
    package func visibleContent(of document: JSON) -> [UInt8] {
        var writer = CanonicalWriter(document: document)
        for pointer in shows.isEmpty ? [.root] : shows {
            let ignored = pointer.tokens.reduce(ignores.map { $0.tokens[...] }) { $0.inside($1) }
            guard let node = document.node(at: pointer), !ignored.contains(where: { $0.isEmpty }) else {
                writer.leaveOut()
                continue
            }
            writer.write(node, without: ignored)
        }
        return writer.bytes
    }
}

/// Bytes that are the same for equal values, however they are written.
package func canonicalBytes(of json: JSON) -> [UInt8] {
    var writer = CanonicalWriter(document: json)
    writer.write(JSON.root, without: [])
    return writer.bytes
}

/// Writes values so that equal ones have equal bytes, and different ones do not.
///
/// It keeps a stack of its own, because a document may be nested more deeply than calls may.
private struct CanonicalWriter {
    let document: JSON
    var bytes: [UInt8] = []

    private enum Step {
        case value(Int, without: [ArraySlice<[UInt8]>])
        case string(Int)
        case byte(UInt8)
    }

    /// Keeps the place of a value that is missing or ignored.
    mutating func leaveOut() { bytes.append(UInt8(ascii: "-")) }

    /// - Parameter ignored: the ways to the values inside that are left out.
    mutating func write(_ node: Int, without ignored: [ArraySlice<[UInt8]>]) {
        var steps = [Step.value(node, without: ignored)]
        while let step = steps.popLast() {
            switch step {
            case .byte(let byte): bytes.append(byte)
            case .string(let node): write(string: node)
            case .value(let node, let ignored):
                switch document.kind(node) {
                case .null: bytes.append(UInt8(ascii: "n"))
                case .true: bytes.append(UInt8(ascii: "t"))
                case .false: bytes.append(UInt8(ascii: "f"))
                case .number: write(number: node)
                case .string: write(string: node)
                case .array: open(array: node, ignored, &steps)
                case .object: open(object: node, ignored, &steps)
                }
            }
        }
    }

    private mutating func open(array: Int, _ ignored: [ArraySlice<[UInt8]>], _ steps: inout [Step]) {
        bytes.append(UInt8(ascii: "["))
        steps.append(.byte(UInt8(ascii: "]")))
        let first = steps.count
        for (index, element) in document.elements(of: array).enumerated() {
            let rest = ignored.isEmpty ? [] : ignored.inside(Array(String(index).utf8))
            let isIgnored = rest.contains(where: \.isEmpty)
            steps.append(isIgnored ? .byte(UInt8(ascii: "-")) : .value(element, without: rest))
        }
        // The last step is the next one.
        steps[first...].reverse()
    }

    private mutating func open(object: Int, _ ignored: [ArraySlice<[UInt8]>], _ steps: inout [Step]) {
        bytes.append(UInt8(ascii: "{"))
        steps.append(.byte(UInt8(ascii: "}")))
        for key in document.text.sortedKeys(of: object).reversed().map(\.node) {
            let rest = ignored.isEmpty ? [] : ignored.inside(document.string(key))
            if rest.contains(where: \.isEmpty) { continue }
            steps.append(.value(key + 1, without: rest))
            steps.append(.string(key))
        }
    }

    private mutating func write(string node: Int) {
        let text = document.text
        let content =
            text.nodes[node].traits.contains(.escaped)
            ? text.string(node)[...] : text.bytes[text.inner(of: node)]
        bytes += String(content.count).utf8
        bytes.append(UInt8(ascii: ":"))
        bytes += content
    }

    private mutating func write(number node: Int) {
        let number = ExactDecimal(document.bytes, document.range(of: node))
        bytes.append(UInt8(ascii: number.isNegative ? "~" : "+"))
        bytes += number.digits
        bytes.append(UInt8(ascii: "e"))
        switch number.exponent {
        case .small(let value): bytes += String(value).utf8
        case .huge(let isNegative, let digits):
            if isNegative { bytes.append(UInt8(ascii: "-")) }
            bytes += digits
        }
        bytes.append(UInt8(ascii: ";"))
    }
}

extension [ArraySlice<[UInt8]>] {
    /// The ways that go on through a member.
    fileprivate func inside(_ token: [UInt8]) -> [ArraySlice<[UInt8]>] {
        compactMap { way in
            guard let first = way.first, first == token || first == JSONPointer.anyToken else { return nil }
            return way.dropFirst()
        }
    }
}
