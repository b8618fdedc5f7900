/// How an XML property list is laid out, so that new elements look like those around them.
struct XMLPropertyListStyle {
    /// Empty if the file has no line breaks between its elements.
    let lineBreak: [UInt8]
    /// What one more level is indented by.
    let unit: [UInt8]
    /// What the tags of the top level are indented by.
    let outer: [UInt8]
    /// What the keys of the top level are indented by.
    let inner: [UInt8]
    /// What is between a key and its value.
    let between: [UInt8]

    init(of bytes: [UInt8], _ layout: XMLPropertyListLayout) {
        let outside = bytes[Self.space(before: layout.open.lowerBound, in: bytes)]
        outer = Self.indentation(outside)
        let tab: [UInt8] = [0x09]
        guard let first = layout.entries.first else {
            lineBreak = Self.lineBreak(outside)
            unit = lineBreak.isEmpty ? [] : tab
            inner = outer + unit
            between = lineBreak + inner
            return
        }
        let inside = bytes[Self.space(before: first.keyRange.lowerBound, in: bytes)]
        lineBreak = Self.lineBreak(inside)
        inner = Self.indentation(inside)
        let isDeeper = inner.starts(with: outer) && inner.count > outer.count
        unit = isDeeper ? Array(inner.dropFirst(outer.count)) : lineBreak.isEmpty ? [] : tab
        let gap = bytes[first.keyRange.upperBound..<first.valueRange.lowerBound]
        // A comment there is about the first key alone.
        between = gap.allSatisfy(\.isXMLSpace) ? Array(gap) : lineBreak + inner
    }

    /// The white space that ends at an offset.
    static func space(before end: Int, in bytes: [UInt8]) -> Range<Int> {
        var start = end
        while start > 0, bytes[start - 1].isXMLSpace { start -= 1 }
        return start..<end
    }

    private static func lineBreak(_ space: ArraySlice<UInt8>) -> [UInt8] {
        guard let end = space.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [] }
        return space[..<end].last == 0x0D && space[end] == 0x0A ? [0x0D, 0x0A] : [space[end]]
    }

    /// What follows the last line break.
    private static func indentation(_ space: ArraySlice<UInt8>) -> [UInt8] {
        guard let end = space.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [] }
        return Array(space[(end + 1)...])
    }
}
