/// Reads XML 1.0 token by token. It never expands an entity that a document declares, and fetches nothing.
///
/// Stricter than XML: UTF-8 only, and no declarations within the document type. Elements must nest, and
/// there is one root. Namespaces are not resolved.
package struct MarkupReader: Sendable {
    let bytes: [UInt8]
    let format: FileFormat
    let limits: StoreLimits
    let characters: MarkupCharacters
    /// The end of the last token.
    package internal(set) var offset = 0
    /// The names of the elements that are not yet closed.
    var open: [Range<Int>] = []
    /// The name of the empty element whose start was the last token.
    var empty: String?
    var isAtStart = true
    var hasRoot = false
    var hasDocumentType = false

    package init(
        _ bytes: [UInt8],
        format: FileFormat,
        limits: StoreLimits = StoreLimits(),
        characters: MarkupCharacters = .xml
    ) throws(StoreFault) {
        guard bytes.count <= limits.maxBytes else {
            throw .tooLarge(bytes: bytes.count, limit: limits.maxBytes)
        }
        (self.bytes, self.format, self.limits, self.characters) = (bytes, format, limits, characters)
        try checkCharacters()
        if has("\u{FEFF}", at: 0) { offset = 3 }
    }

    /// The level of nesting: the number of open elements.
    package var depth: Int { open.count }

    /// `nil` at the end of a complete document.
    package mutating func next() throws(StoreFault) -> MarkupToken? {
        if let name = empty {
            empty = nil
            open.removeLast()
            return MarkupToken(kind: .end(name: name), range: offset..<offset)
        }
        let isFirst = isAtStart
        isAtStart = false
        let isDeclaration = isFirst && has("<?xml", at: offset) && isSpace(offset + 5)
        if open.isEmpty, !isDeclaration { skipSpace() }
        let start = offset
        let kind: MarkupToken.Kind
        if isDeclaration {
            kind = try declaration()
        } else if let next = try content() {
            kind = next
        } else {
            return nil
        }
        return MarkupToken(kind: kind, range: start..<offset)
    }

    /// All but the declaration; `nil` at the end.
    private mutating func content() throws(StoreFault) -> MarkupToken.Kind? {
        guard let byte = byte(offset) else {
            guard hasRoot, open.isEmpty else { throw fault(.endOfFile) }
            return nil
        }
        guard byte == UInt8(ascii: "<") else {
            guard !open.isEmpty else { throw fault(.expected(outsideRoot)) }
            return .text(try text())
        }
        switch self.byte(offset + 1) {
        case UInt8(ascii: "/"): return try end()
        case UInt8(ascii: "?"): return try instruction()
        case UInt8(ascii: "!"): return try special()
        default: return try start()
        }
    }

    /// The text of the element whose start was the last token. Reads up to its end; throws if it contains
    /// another element.
    package mutating func elementText() throws(StoreFault) -> String {
        var text = ""
        while let token = try next() {
            switch token.kind {
            case .end: return text
            case .text(let part): if text.isEmpty { text = part } else { text += part }
            case .start: throw fault(.expected("text"), at: token.range.lowerBound)
            case .declaration, .comment, .instruction, .documentType: continue
            }
        }
        return text
    }

    /// A fault at an offset, by default the end of the last token.
    package func fault(_ detail: StoreFault.Detail, at offset: Int? = nil) -> StoreFault {
        .malformed(format, .line(of: offset ?? self.offset, in: bytes), detail)
    }

    /// What may stand where no element is open.
    var outsideRoot: String { hasRoot ? "the end of the file" : "an element" }

    /// What begins with `<!`.
    private mutating func special() throws(StoreFault) -> MarkupToken.Kind {
        if has("<!--", at: offset) { return try comment() }
        if has("<![CDATA[", at: offset), !open.isEmpty { return .text(try section()) }
        if has("<!DOCTYPE", at: offset), !hasRoot { return try documentType() }
        throw fault(.expected(open.isEmpty ? outsideRoot : "an element"))
    }

    private mutating func comment() throws(StoreFault) -> MarkupToken.Kind {
        guard let dashes = find("--", from: offset + 4) else { throw fault(.endOfFile, at: bytes.count) }
        offset = dashes + 2
        try expect(">")
        return .comment
    }

    private mutating func instruction() throws(StoreFault) -> MarkupToken.Kind {
        offset += 2
        let target = text(in: try name())
        guard target.lowercased() != "xml" else { throw fault(.expected("an element")) }
        if !has("?>", at: offset), !isSpace(offset) { throw unexpected("white space") }
        guard let end = find("?>", from: offset) else { throw fault(.endOfFile, at: bytes.count) }
        offset = end + 2
        return .instruction(target: target)
    }
}
