/// Reads the elements that AOSP's `XmlUtils` reads in a map, and refuses those that no preferences file has.
struct SharedPreferencesReader {
    private var reader: MarkupReader
    private let limits: StoreLimits
    private(set) var entries: [SharedPreferences.Entry] = []
    private(set) var places: [ExactText: Int] = [:]
    private var values = 0

    init(_ bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {
        reader = try MarkupReader(bytes, format: .sharedPreferences, limits: limits, characters: .android)
        self.limits = limits
        // Growing it would hash all keys again; an entry takes up more than this.
        places.reserveCapacity(min(bytes.count / 48, 8192))
    }

    mutating func read() throws(StoreFault) -> SharedPreferences.End {
        var end: SharedPreferences.End?
        while let token = try reader.next() {
            switch token.kind {
            case .start(let element):
                guard element.name == "map" else { throw notAMap(element, token) }
                end = element.isEmpty ? .empty(token.range) : .tag(try readMap())
            case .documentType: throw reader.fault(.documentType, at: token.range.lowerBound)
            case .text: throw reader.fault(.expected("a map"), at: token.range.lowerBound)
            case .declaration, .comment, .instruction, .end: continue
            }
        }
        // The reader does not end before the root element has.
        guard let end else { throw reader.fault(.endOfFile) }
        return end
    }

    private func notAMap(_ element: MarkupElement, _ token: MarkupToken) -> StoreFault {
        if let type = AndroidElement.type(of: element.name) {
            return .notKeyed(.sharedPreferences, found: type)
        }
        return reader.fault(.unknownElement(element.name), at: token.range.lowerBound)
    }

    /// The offset of the end tag.
    private mutating func readMap() throws(StoreFault) -> Int {
        while let token = try reader.next() {
            switch token.kind {
            case .start(let element): try readEntry(element, from: token.range.lowerBound)
            case .end: return token.range.lowerBound
            case .text(let text):
                guard isBlank(text) else {
                    throw reader.fault(.expected("an element"), at: token.range.lowerBound)
                }
            case .declaration, .comment, .instruction, .documentType: continue
            }
        }
        throw reader.fault(.endOfFile)
    }

    private mutating func readEntry(_ element: MarkupElement, from start: Int) throws(StoreFault) {
        guard let key = element["name"] else {
            throw reader.fault(.expected("a name"), at: start)
        }
        try count()
        let value = try value(of: element, key: key, from: start)
        guard places.updateValue(entries.count, forKey: ExactText(key)) == nil else {
            throw .duplicateKey(.sharedPreferences, key)
        }
        entries.append(SharedPreferences.Entry(key: key, value: value, range: start..<reader.offset))
    }

    private mutating func value(
        of element: MarkupElement,
        key: String,
        from start: Int
    ) throws(StoreFault) -> StoreValue? {
        switch element.name {
        case "null":
            try readEnd(key)
            return nil
        case "string": return .string(try text(key))
        case "set": return .strings(try strings(key))
        case "byte-array":
            guard let value = AndroidElement.data(try text(key), count: element["num"]) else {
                throw malformed(key, start, .notA(.data))
            }
            return value
        default:
            guard let type = AndroidElement.type(of: element.name) else {
                throw malformed(key, start, .unknownElement(element.name))
            }
            guard let text = element["value"] else { throw malformed(key, start, .expected("a value")) }
            guard let value = AndroidElement.value(text, of: type) else {
                throw malformed(key, start, .notA(type))
            }
            try readEnd(key)
            return value
        }
    }

    private mutating func strings(_ key: String) throws(StoreFault) -> [String] {
        var strings: [String] = []
        while let token = try reader.next() {
            switch token.kind {
            case .end: return strings
            case .start(let element) where element.name == "string":
                try count()
                strings.append(try text(key))
            case .start(let element):
                throw malformed(key, token.range.lowerBound, .unknownElement(element.name))
            case .text(let text) where !isBlank(text):
                throw malformed(key, token.range.lowerBound, .expected("a string"))
            case .text, .declaration, .comment, .instruction, .documentType: continue
            }
        }
        return strings
    }

    /// The text of the element whose start was read last.
    private mutating func text(_ key: String) throws(StoreFault) -> String {
        do {
            return try reader.elementText()
        } catch .malformed(let format, let place, let detail) {
            throw .malformedValue(format, key: key, place, detail)
        }
    }

    private mutating func readEnd(_ key: String) throws(StoreFault) {
        let start = reader.offset
        guard try isBlank(text(key)) else {
            throw malformed(key, start, .expected("no text"))
        }
    }

    private func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy { $0 <= 0x20 } }

    private mutating func count() throws(StoreFault) {
        values += 1
        guard values <= limits.maxValues else { throw .tooManyValues(limit: limits.maxValues) }
    }

    private func malformed(_ key: String, _ offset: Int, _ detail: StoreFault.Detail) -> StoreFault {
        .malformedValue(.sharedPreferences, key: key, .line(of: offset, in: reader.bytes), detail)
    }
}
