/// A property list as XML. A change leaves all other bytes of the file as they are.
package struct XMLPropertyList: KeyedFile {
    private let bytes: [UInt8]
    private let limits: StoreLimits
    private let layout: XMLPropertyListLayout
    private let places: [ExactText: Int]

    private static let beginning = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    package init() {
        let beginning = Array(Self.beginning.utf8)
        bytes = beginning + Array("<dict/>\n</plist>\n".utf8)
        let open = beginning.count..<beginning.count + 7
        layout = XMLPropertyListLayout(
            entries: [],
            open: open,
            close: open.upperBound..<open.upperBound,
            values: 0
        )
        (limits, places) = (StoreLimits(), [:])
    }

    package init(parsing bytes: [UInt8], limits: StoreLimits = StoreLimits()) throws(StoreFault) {
        var parser = try XMLPropertyListParser(bytes, limits: limits)
        layout = try parser.layout()
        (self.bytes, self.limits) = (bytes, limits)
        places = Dictionary(uniqueKeysWithValues: zip(layout.entries.map { ExactText($0.key) }, 0...))
    }

    package var keys: [String] { layout.entries.map(\.key) }

    package subscript(key: String) -> StoreValue? { places[ExactText(key)].map { layout.entries[$0].value } }

    // MARK: - Changes

    package func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        let style = XMLPropertyListStyle(of: bytes, layout)
        var edits = ByteEdits()
        var values = layout.values
        for entry in layout.entries {
            guard let change = changes[ExactText(entry.key)], change != entry.value else { continue }
            values += try replace(entry, with: change, style, in: &edits)
        }
        let added = changes.compactMapValues { $0 }.filter { places[$0.key] == nil }
        if !added.isEmpty { values += try insert(added, style, in: &edits) }
        let file = edits.applied(to: bytes)
        // A file beyond the limits could not be read again.
        guard file.count <= limits.maxBytes else {
            throw .tooLarge(bytes: file.count, limit: limits.maxBytes)
        }
        guard values <= limits.maxValues else { throw .tooManyValues(limit: limits.maxValues) }
        return file
    }

    /// How many values the new bytes have.
    private func replace(
        _ entry: XMLPropertyListLayout.Entry,
        with value: StoreValue?,
        _ style: XMLPropertyListStyle,
        in edits: inout ByteEdits
    ) throws(StoreFault) -> Int {
        guard let value else {
            let space = XMLPropertyListStyle.space(before: entry.keyRange.lowerBound, in: bytes)
            edits.replace(space.lowerBound..<entry.valueRange.upperBound, with: [])
            return 0
        }
        var writer = XMLElementWriter(key: entry.key, style: style, limits: limits)
        try writer.append(value, indentation: style.inner)
        edits.replace(entry.valueRange, with: writer.bytes)
        return writer.values
    }

    /// Before the tag that closes the dictionary, in a line of their own. How many values the new bytes have.
    private func insert(
        _ values: [ExactText: StoreValue],
        _ style: XMLPropertyListStyle,
        in edits: inout ByteEdits
    ) throws(StoreFault) -> Int {
        var added: [UInt8] = []
        var count = 0
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let key = key.text
            var writer = XMLElementWriter(key: key, style: style, limits: limits)
            try writer.appendKey(key)
            added += style.lineBreak + style.inner + writer.bytes + style.between
            writer = XMLElementWriter(key: key, style: style, limits: limits)
            try writer.append(value, indentation: style.inner)
            added += writer.bytes
            count += writer.values
        }
        let ending = style.lineBreak + style.outer
        guard !layout.close.isEmpty else {
            var tags = Array(bytes[layout.open].dropLast(2))
            tags.append(UInt8(ascii: ">"))
            tags += added + ending
            tags += "</dict>".utf8
            edits.replace(layout.open, with: tags)
            return count
        }
        let space = XMLPropertyListStyle.space(before: layout.close.lowerBound, in: bytes)
        if space.isEmpty { added += ending }
        edits.insert(added, at: space.lowerBound)
        return count
    }
}
