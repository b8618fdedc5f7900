/// A position in a text, as an editor shows it.
package struct JSONPosition: Sendable, Hashable, Codable {
    /// From 1; a line ends with LF, and the CR before it is part of the end.
    package let line: Int
    /// From 1, in code points of the line; a byte order mark does not count.
    package let column: Int
    /// From 0, in bytes of the text.
    package let offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// `line:column`.
    package var text: String { "\(line):\(column)" }
}

/// Computes the positions of offsets in ascending order, in one pass over the text.
struct PositionFinder {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: JSON.byteOrderMark) { offset = JSON.byteOrderMark.count }
    }

    mutating func position(of target: Int) -> JSONPosition {
        let end = min(target, bytes.count)
        while offset < end {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            offset += 1
        }
        return JSONPosition(line: line, column: column, offset: target)
    }
}
