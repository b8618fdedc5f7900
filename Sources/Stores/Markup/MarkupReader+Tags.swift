extension MarkupReader {
    mutating func start() throws(StoreFault) -> MarkupToken.Kind {
        guard !open.isEmpty || !hasRoot else { throw fault(.expected(outsideRoot)) }
        guard open.count < limits.maxDepth else { throw .tooDeep(limit: limits.maxDepth) }
        offset += 1
        let range = try name()
        let name = text(in: range)
        let attributes = try attributes()
        let isEmpty = has("/", at: offset)
        if isEmpty { offset += 1 }
        try expect(">")
        hasRoot = true
        open.append(range)
        if isEmpty { empty = name }
        return .start(MarkupElement(name: name, attributes: attributes, isEmpty: isEmpty))
    }

    mutating func end() throws(StoreFault) -> MarkupToken.Kind {
        let start = offset
        offset += 2
        let range = try name()
        guard let opened = open.popLast() else { throw fault(.expected(outsideRoot), at: start) }
        guard bytes[opened] == bytes[range] else {
            throw fault(.expected("</\(text(in: opened))>"), at: start)
        }
        skipSpace()
        try expect(">")
        return .end(name: text(in: range))
    }

    private mutating func attributes() throws(StoreFault) -> [MarkupAttribute] {
        var attributes: [MarkupAttribute] = []
        var names = AttributeNames()
        while true {
            let isSpaced = isSpace(offset)
            skipSpace()
            guard let byte = byte(offset) else { throw fault(.endOfFile) }
            if [UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "?")].contains(byte) { return attributes }
            guard isSpaced else { throw unexpected("white space") }
            let range = try name()
            guard names.insert(range, in: bytes) else {
                throw fault(.repeatedAttribute(text(in: range)), at: range.lowerBound)
            }
            try equals()
            attributes.append(MarkupAttribute(name: text(in: range), value: try attributeValue()))
        }
    }

    private mutating func equals() throws(StoreFault) {
        skipSpace()
        try expect("=")
        skipSpace()
    }

    /// `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`.
    mutating func declaration() throws(StoreFault) -> MarkupToken.Kind {
        let start = offset
        offset += 5
        let attributes = try attributes()
        let names = attributes.map(\.name)
        let known = ["version", "encoding", "standalone"]
        guard names == known.filter(names.contains), names.first == "version" else {
            throw fault(.expected("version, encoding and standalone"), at: start)
        }
        for attribute in attributes {
            switch (attribute.name, attribute.value.lowercased()) {
            case ("version", "1.0"), ("encoding", "utf-8"), ("encoding", "us-ascii"), ("encoding", "ascii"),
                ("standalone", "yes"), ("standalone", "no"):
                continue
            case ("version", _): throw fault(.version(attribute.value), at: start)
            case ("encoding", _): throw fault(.encoding(attribute.value), at: start)
            default: throw fault(.expected("yes or no"), at: start)
            }
        }
        try expect("?>")
        return .declaration
    }

    mutating func documentType() throws(StoreFault) -> MarkupToken.Kind {
        guard !hasDocumentType else { throw fault(.expected("one document type")) }
        hasDocumentType = true
        offset += "<!DOCTYPE".utf8.count
        try space()
        let name = text(in: try name())
        var publicID: String?
        var systemID: String?
        if isSpace(offset) {
            skipSpace()
            if has("PUBLIC", at: offset) {
                offset += 6
                try space()
                publicID = try literal()
                try space()
                systemID = try literal()
            } else if has("SYSTEM", at: offset) {
                offset += 6
                try space()
                systemID = try literal()
            }
            skipSpace()
        }
        if has("[", at: offset) { throw fault(declared()) }
        try expect(">")
        return .documentType(MarkupDocumentType(name: name, publicID: publicID, systemID: systemID))
    }

    /// What a document type declares.
    private func declared() -> StoreFault.Detail {
        guard var rest = find("<!ENTITY", from: offset).map({ bytes[($0 + 8)...] }) else {
            return .documentType
        }
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "%")].contains($0) }
        return .entity(String(decoding: rest.prefix { $0 > 0x20 }.prefix(100), as: UTF8.self))
    }

    private mutating func space() throws(StoreFault) {
        guard isSpace(offset) else { throw unexpected("white space") }
        skipSpace()
    }

    private mutating func literal() throws(StoreFault) -> String {
        guard let quote = byte(offset), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw unexpected("a quote")
        }
        guard let end = bytes[(offset + 1)...].firstIndex(of: quote) else {
            throw fault(.endOfFile, at: bytes.count)
        }
        defer { offset = end + 1 }
        return text(in: offset + 1..<end)
    }
}

/// The names of an element's attributes.
private struct AttributeNames {
    private var ranges: [Range<Int>] = []
    private var many: Set<ArraySlice<UInt8>> = []

    /// `false` if it is there. A few names are compared, because hashing them takes longer.
    mutating func insert(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard ranges.count < 8 else { return many.insert(bytes[range]).inserted }
        for other in ranges where bytes[other] == bytes[range] { return false }
        ranges.append(range)
        if ranges.count == 8 { many = Set(ranges.map { bytes[$0] }) }
        return true
    }
}
