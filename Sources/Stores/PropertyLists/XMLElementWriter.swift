/// Composes the elements of an XML property list, in the form of the platform: a line for each, indented.
struct XMLElementWriter {
    /// The top-level key of the element, for faults.
    let key: String
    let style: XMLPropertyListStyle
    let limits: StoreLimits
    private(set) var bytes: [UInt8] = []
    /// The number of values, in all levels.
    private(set) var values = 0

    private static let base64Columns = 76

    init(key: String, style: XMLPropertyListStyle, limits: StoreLimits) {
        (self.key, self.style, self.limits) = (key, style, limits)
    }

    mutating func appendKey(_ name: String) throws(StoreFault) { try append("key", text: name) }

    /// - Parameter indentation: Of the line on which the element begins.
    mutating func append(_ value: StoreValue, indentation: [UInt8], level: Int = 1) throws(StoreFault) {
        values += 1
        switch value {
        case .string(let text): try append("string", text: text)
        case .bool(let isTrue): bytes += isTrue ? "<true/>".utf8 : "<false/>".utf8
        case .integer(let number): bytes += "<integer>\(number)</integer>".utf8
        case .unsigned(let number): bytes += "<integer>\(number)</integer>".utf8
        case .real(let number): bytes += "<real>\(XMLScalar.text(real: number))</real>".utf8
        case .date(let seconds):
            guard let text = XMLScalar.text(date: seconds) else { throw fault(.date) }
            bytes += "<date>\(text)</date>".utf8
        case .data(let content): append(data: content, indentation: indentation)
        case .array(let values):
            try append("array", isEmpty: values.isEmpty, indentation, level: level) {
                writer throws(StoreFault) in
                let inner = indentation + writer.style.unit
                for value in values {
                    writer.bytes += writer.style.lineBreak + inner
                    try writer.append(value, indentation: inner, level: level + 1)
                }
            }
        case .dictionary(let values):
            try append("dict", isEmpty: values.isEmpty, indentation, level: level) {
                writer throws(StoreFault) in
                try writer.append(pairs: values, indentation + writer.style.unit, level: level + 1)
            }
        case .int32, .float, .strings, .uid: throw fault(value.type)
        }
    }

    private func fault(_ type: StoreType) -> StoreFault {
        .unrepresentable(.xmlPropertyList, key: key, type)
    }

    private mutating func append(_ name: String, text: String) throws(StoreFault) {
        let escaped: [UInt8]
        do throws(ForbiddenCharacter) { escaped = try MarkupEscape.text.escaped(text) } catch {
            throw .forbiddenCharacter(.xmlPropertyList, key: key, error.scalar)
        }
        bytes += "<\(name)>".utf8
        bytes += escaped
        bytes += "</\(name)>".utf8
    }

    private mutating func append(
        _ name: String,
        isEmpty: Bool,
        _ indentation: [UInt8],
        level: Int,
        _ content: (inout Self) throws(StoreFault) -> Void
    ) throws(StoreFault) {
        // Deeper, it could not be read again.
        guard level < limits.maxDepth else { throw .tooDeep(limit: limits.maxDepth) }
        guard !isEmpty else {
            bytes += "<\(name)/>".utf8
            return
        }
        bytes += "<\(name)>".utf8
        try content(&self)
        bytes += style.lineBreak + indentation
        bytes += "</\(name)>".utf8
    }

    /// Sorted, because a dictionary has another order in each process.
    private mutating func append(
        pairs values: [ExactText: StoreValue],
        _ indentation: [UInt8],
        level: Int
    ) throws(StoreFault) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            bytes += style.lineBreak + indentation
            try appendKey(name.text)
            bytes += style.lineBreak + indentation
            try append(value, indentation: indentation, level: level)
        }
    }

    private mutating func append(data content: [UInt8], indentation: [UInt8]) {
        let text = Base64.encoded(content)
        // Without line breaks in the file, one line.
        let columns = style.lineBreak.isEmpty ? max(text.count, 1) : Self.base64Columns
        bytes += "<data>".utf8
        for start in stride(from: 0, to: text.count, by: columns) {
            bytes += style.lineBreak + indentation
            bytes += text[start..<min(start + columns, text.count)]
        }
        bytes += style.lineBreak + indentation
        bytes += "</data>".utf8
    }
}
