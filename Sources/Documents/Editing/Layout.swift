/// How a container is formatted: the white space for items that have none of their own.
struct Layout {
    /// Between the opening bracket and the first item.
    var firstLead: [UInt8] = []
    /// Between a comma and the next item.
    var lead: [UInt8] = []
    /// Between a key and its value, including the colon.
    var colon: [UInt8] = [UInt8(ascii: ":")]
    /// Between the last item and the closing bracket.
    var tail: [UInt8] = []

    /// Without white space.
    static let compact = Layout()

    /// The same layout for a container nested one level deeper.
    var inner: Layout {
        guard let here = lead.indentation, let outside = tail.indentation else { return self }
        let unit = here.count > outside.count ? Array(here[outside.count...]) : [0x20, 0x20]
        let line = lead.throughLastLineFeed
        return Layout(
            firstLead: line + here + unit,
            lead: line + here + unit,
            colon: colon,
            tail: line + here
        )
    }
}

extension Layout {
    /// The layout of a container of a document. What the container does not show is taken from `parent`.
    init(of node: Int, in document: JSON, parent: Layout) {
        guard let first = document.firstItem(of: node) else {
            self = parent
            return
        }
        let bytes = document.bytes
        let range = document.range(of: node)
        firstLead = Array(bytes[range.lowerBound + 1..<document.start(of: first)])
        if let key = first.key {
            colon = Array(bytes[document.end(of: key)..<document.start(of: first.value)])
        }
        if first.key == nil { colon = parent.colon }
        if let second = document.item(after: first, in: node) {
            lead = document.lead(of: second, gap: document.end(of: first.value))
        } else if firstLead.indentation != nil {
            lead = firstLead
        } else if colon.last == 0x20 {
            lead = [0x20]
        } else {
            lead = parent.lead.indentation == nil ? parent.lead : []
        }
        tail = document.tail(of: node)
    }

    func shifted(_ shift: Shift) -> Layout {
        guard !shift.isNone else { return self }
        func shifted(_ text: [UInt8]) -> [UInt8] {
            var result: [UInt8] = []
            result.append(text[...], shifted: shift)
            return result
        }
        return Layout(
            firstLead: shifted(firstLead),
            lead: shifted(lead),
            colon: shifted(colon),
            tail: shifted(tail)
        )
    }
}

/// A replacement of the indentation, for lines that move to another depth.
struct Shift {
    var from: [UInt8]
    var to: [UInt8]

    static let none = Shift(from: [], to: [])

    var isNone: Bool { from == to }
}

extension [UInt8] {
    /// The text after the last line feed; `nil` if there is no line feed.
    var indentation: [UInt8]? {
        lastIndex(of: 0x0A).map { Array(self[($0 + 1)...]) }
    }

    var throughLastLineFeed: [UInt8] {
        lastIndex(of: 0x0A).map { Array(self[...$0]) } ?? []
    }

    /// Appends text that begins and ends outside of strings, with its lines shifted.
    mutating func append(_ text: ArraySlice<UInt8>, shifted shift: Shift) {
        guard !shift.isNone else { return append(contentsOf: text) }
        var rest = text
        // A line feed within a JSON text is always white space, since strings escape it.
        while let line = rest.firstIndex(of: 0x0A) {
            append(contentsOf: rest[...line])
            rest = rest[(line + 1)...]
            if rest.starts(with: shift.from) {
                append(contentsOf: shift.to)
                rest = rest.dropFirst(shift.from.count)
            }
        }
        append(contentsOf: rest)
    }
}

extension JSON {
    /// An element, or a member with its key.
    struct Item {
        var key: Int?
        var value: Int
    }

    func firstItem(of container: Int) -> Item? { item(at: container + 1, in: container) }

    func item(after item: Item, in container: Int) -> Item? {
        self.item(at: Int(nodes[item.value].after), in: container)
    }

    private func item(at node: Int, in container: Int) -> Item? {
        guard kind(container) == .object || kind(container) == .array, node < nodes[container].after else {
            return nil
        }
        return kind(container) == .object ? Item(key: node, value: node + 1) : Item(key: nil, value: node)
    }

    func start(of item: Item) -> Int { start(of: item.key ?? item.value) }
    func start(of node: Int) -> Int { Int(nodes[node].start) }
    func end(of node: Int) -> Int { Int(nodes[node].end) }

    /// The white space before an item; `gap` is the offset at which the previous token ends.
    func lead(of item: Item, gap: Int) -> [UInt8] {
        Array(bytes[spaceEnd(from: gap).behindComma..<start(of: item)])
    }

    /// The white space before the closing bracket.
    func tail(of container: Int) -> [UInt8] {
        let range = range(of: container)
        var start = range.upperBound - 1
        while bytes[start - 1].isSpace { start -= 1 }
        return Array(bytes[start..<range.upperBound - 1])
    }

    /// Where the white space from `offset` ends, and the offset after the comma there: `offset` if there is
    /// none.
    func spaceEnd(from offset: Int) -> (space: Int, behindComma: Int) {
        var end = offset
        while bytes[end].isSpace { end += 1 }
        return bytes[end] == UInt8(ascii: ",") ? (end, end + 1) : (end, offset)
    }
}

extension UInt8 {
    var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
