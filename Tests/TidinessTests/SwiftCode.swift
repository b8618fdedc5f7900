/// Swift text reduced to code: comments and literals are blanked, lines keep their numbers.
struct SwiftCode {
    let bytes: [UInt8]

    init(_ text: String) {
        var blanker = Blanker(Array(text.utf8))
        bytes = blanker.run()
    }

    var lines: [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    struct Word {
        var text: String
        var start: Int
        var line: Int
    }

    /// Every identifier and keyword, in order.
    var words: [Word] {
        var words: [Word] = []
        var line = 1
        var place = 0
        while place < bytes.count {
            let start = place
            while place < bytes.count, Self.isWordByte(bytes[place]) { place += 1 }
            if place > start {
                words.append(
                    Word(
                        text: String(decoding: bytes[start..<place], as: UTF8.self),
                        start: start,
                        line: line
                    )
                )
            } else {
                if bytes[place] == UInt8(ascii: "\n") { line += 1 }
                place += 1
            }
        }
        return words
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default:
            false
        }
    }
}

/// Blanks comments and literals, including nested ones.
private struct Blanker {
    private var bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() -> [UInt8] {
        while place < bytes.count { step() }
        return bytes
    }

    private mutating func step() {
        if starts("//") {
            while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { blank() }
        } else if starts("/*") {
            blankComment()
        } else if let pounds = poundsBeforeQuote() {
            blankString(pounds: pounds)
        } else {
            place += 1
        }
    }

    private func starts(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where place < bytes.count {
            if bytes[place] != UInt8(ascii: "\n") { bytes[place] = UInt8(ascii: " ") }
            place += 1
        }
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && place < bytes.count
    }

    /// The number of `#` before a quote that begins here; `nil` if there is no quote.
    private func poundsBeforeQuote() -> Int? {
        let pounds = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = place + pounds
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? pounds : nil
    }

    private mutating func blankString(pounds: Int) {
        blank(pounds)
        let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
        let fence = String(repeating: "#", count: pounds)
        blank(quotes.utf8.count)
        while place < bytes.count, !starts(quotes + fence) {
            if quotes == "\"", bytes[place] == UInt8(ascii: "\n") { return }
            if starts("\\" + fence + "(") {
                blank(2 + pounds)
                blankInterpolation()
            } else if starts("\\" + fence) {
                blank(2 + pounds)
            } else {
                blank()
            }
        }
        blank(quotes.utf8.count + pounds)
    }

    private mutating func blankInterpolation() {
        var depth = 1
        while place < bytes.count, depth > 0 {
            if let pounds = poundsBeforeQuote() {
                blankString(pounds: pounds)
                continue
            }
            if bytes[place] == UInt8(ascii: "(") { depth += 1 }
            if bytes[place] == UInt8(ascii: ")") { depth -= 1 }
            blank()
        }
    }
}
