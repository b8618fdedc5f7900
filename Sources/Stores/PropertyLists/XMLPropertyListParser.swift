/// Where the keys and values of an XML property list are.
struct XMLPropertyListLayout: Sendable {
    /// A key of the top level with its value.
    struct Entry: Sendable {
        let key: String
        let value: StoreValue
        /// The bytes of the `<key>` element.
        let keyRange: Range<Int>
        /// The bytes of the value's element.
        let valueRange: Range<Int>
    }

    /// In the order of the file, no key twice.
    let entries: [Entry]
    /// The bytes of the tag that opens the top level.
    let open: Range<Int>
    /// The bytes of the tag that closes the top level; none in `<dict/>`.
    let close: Range<Int>
    /// The number of values in all levels.
    let values: Int
}

struct XMLPropertyListParser {
    private var reader: MarkupReader
    private let limits: StoreLimits
    private var values = 0

    init(_ bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {
        // Around the innermost list or dictionary are `<plist>` and one more element.
        var markup = limits
        markup.maxDepth = min(limits.maxDepth, .max - 2) + 2
        reader = try MarkupReader(
            bytes,
            format: .xmlPropertyList,
            limits: markup,
            characters: .propertyList
        )
        self.limits = limits
    }

    mutating func layout() throws(StoreFault) -> XMLPropertyListLayout {
        let (root, place) = try start("`<plist>`")
        guard root.name == "plist" else { throw .notTheFormat(.xmlPropertyList) }
        if let version = root["version"], version != "1.0" {
            throw reader.fault(.version(version), at: place.lowerBound)
        }
        let (top, open) = try start("a value")
        if top.name != "dict" {
            let value = try value(of: top, at: open, level: 0)
            throw .notKeyed(.xmlPropertyList, found: value.type)
        }
        let (entries, close) = try entries(level: 0)
        guard let end = try tag(), case .end = end.kind else {
            throw reader.fault(.expected("`</plist>`"), at: reader.offset)
        }
        guard try tag() == nil else { throw reader.fault(.expected("the end of the file")) }
        return XMLPropertyListLayout(entries: entries, open: open, close: close, values: values)
    }

    // MARK: - Tags

    /// The next tag; only white space and comments may precede it. `nil` at the end of the file.
    private mutating func tag() throws(StoreFault) -> MarkupToken? {
        while let token = try reader.next() {
            switch token.kind {
            case .start, .end: return token
            case .text(let text):
                guard text.utf8.allSatisfy(\.isXMLSpace) else {
                    throw reader.fault(.expected("an element"), at: token.range.lowerBound)
                }
            case .documentType(let type):
                guard Self.isKnown(type) else {
                    throw reader.fault(.documentType, at: token.range.lowerBound)
                }
            case .declaration, .comment, .instruction: continue
            }
        }
        return nil
    }

    /// Apple's document types, by their public ID, or by their system ID alone, as the first ones were.
    private static func isKnown(_ type: MarkupDocumentType) -> Bool {
        guard type.name == "plist" else { return false }
        switch (type.publicID, type.systemID) {
        case ("-//Apple//DTD PLIST 1.0//EN", _), ("-//Apple Computer//DTD PLIST 1.0//EN", _), (nil, nil):
            return true
        case (nil, let file?): return file.hasSuffix("/PropertyList.dtd")
        default: return false
        }
    }

    private mutating func start(_ expected: String) throws(StoreFault) -> (MarkupElement, Range<Int>) {
        guard let token = try tag(), case .start(let element) = token.kind else {
            throw reader.fault(.expected(expected))
        }
        return (element, token.range)
    }

    // MARK: - Values

    private mutating func value(
        of element: MarkupElement,
        at range: Range<Int>,
        level: Int
    ) throws(StoreFault) -> StoreValue {
        values += 1
        guard values <= limits.maxValues else { throw .tooManyValues(limit: limits.maxValues) }
        switch element.name {
        case "string": return .string(try reader.elementText())
        case "integer": return try scalar(.integer, at: range, XMLScalar.integer)
        case "real": return try scalar(.real, at: range, XMLScalar.real)
        case "date": return try scalar(.date, at: range, XMLScalar.date)
        case "data": return try scalar(.data, at: range) { Base64.decoded($0).map(StoreValue.data) }
        case "true", "false":
            let isTrue = element.name == "true"
            return try scalar(.bool, at: range) { $0.utf8.allSatisfy(\.isXMLSpace) ? .bool(isTrue) : nil }
        case "array": return .array(try elements(level: level))
        case "dict":
            let entries = try entries(level: level).entries
            return .dictionary(
                Dictionary(uniqueKeysWithValues: entries.map { (ExactText($0.key), $0.value) })
            )
        case "key": throw reader.fault(.expected("a value"), at: range.lowerBound)
        default: throw reader.fault(.unknownElement(element.name), at: range.lowerBound)
        }
    }

    private mutating func scalar(
        _ type: StoreType,
        at range: Range<Int>,
        _ value: (String) -> StoreValue?
    ) throws(StoreFault) -> StoreValue {
        guard let value = value(try reader.elementText()) else {
            throw reader.fault(.notA(type), at: range.lowerBound)
        }
        return value
    }

    private mutating func elements(level: Int) throws(StoreFault) -> [StoreValue] {
        guard level < limits.maxDepth else { throw .tooDeep(limit: limits.maxDepth) }
        var values: [StoreValue] = []
        while let token = try tag(), case .start(let element) = token.kind {
            values.append(try value(of: element, at: token.range, level: level + 1))
        }
        return values
    }

    /// The content of the dictionary whose tag was the last, and the tag that closes it.
    private mutating func entries(
        level: Int
    ) throws(StoreFault) -> (entries: [XMLPropertyListLayout.Entry], close: Range<Int>) {
        guard level < limits.maxDepth else { throw .tooDeep(limit: limits.maxDepth) }
        var entries: [XMLPropertyListLayout.Entry] = []
        var keys: Set<ExactText> = []
        while let token = try tag() {
            guard case .start(let element) = token.kind else { return (entries, token.range) }
            guard element.name == "key" else {
                throw reader.fault(.expected("`<key>`"), at: token.range.lowerBound)
            }
            let key = try reader.elementText()
            let keyRange = token.range.lowerBound..<reader.offset
            guard keys.insert(ExactText(key)).inserted else { throw .duplicateKey(.xmlPropertyList, key) }
            let (found, range) = try start("a value")
            let value = try value(of: found, at: range, level: level + 1)
            entries.append(
                XMLPropertyListLayout.Entry(
                    key: key,
                    value: value,
                    keyRange: keyRange,
                    valueRange: range.lowerBound..<reader.offset
                )
            )
        }
        throw reader.fault(.endOfFile)
    }
}

extension UInt8 {
    var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
