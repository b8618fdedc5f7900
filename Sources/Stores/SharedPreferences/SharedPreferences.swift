/// An Android preferences file, as AOSP's `SharedPreferencesImpl` writes and reads it.
///
/// Its values are `string`, `int32`, `integer` (a long), `float`, `bool` and `strings`. Entries that are not
/// changed keep their bytes.
package struct SharedPreferences: KeyedFile {
    let bytes: [UInt8]
    let limits: StoreLimits
    let entries: [Entry]
    private let places: [ExactText: Int]
    let end: End

    struct Entry: Sendable {
        let key: String
        /// `nil` for `<null>`, which has a key and no value.
        let value: StoreValue?
        let range: Range<Int>
    }

    /// Where new entries go.
    enum End: Sendable, Hashable {
        /// Before the map's end tag, at its offset.
        case tag(Int)
        /// The map is written as `<map />`, at this range.
        case empty(Range<Int>)
    }

    package init() {
        (bytes, limits, entries, places) = (
            Array(Self.header.utf8) + Array("<map />\n".utf8), StoreLimits(), [], [:]
        )
        end = .empty(bytes.count - 8..<bytes.count - 1)
    }

    package init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {
        var reader = try SharedPreferencesReader(bytes, limits: limits)
        end = try reader.read()
        (self.bytes, self.limits, entries, places) = (bytes, limits, reader.entries, reader.places)
    }

    /// As AOSP writes it.
    static let header = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n"

    /// Also those of nulls.
    package var keys: [String] { entries.map(\.key) }

    package subscript(key: String) -> StoreValue? { places[ExactText(key)].flatMap { entries[$0].value } }

    package func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        var edits = ByteEdits()
        var added: [UInt8] = []
        // Dictionaries have an order of their own in every process.
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            let range = places[key].map { entries[$0].range }
            if let value {
                let element = try AndroidElement.bytes(of: value, key: key.text)
                if let range {
                    edits.replace(range, with: element)
                } else {
                    added += "    ".utf8 + element + "\n".utf8
                }
            } else if let range {
                edits.replace(line(of: range), with: [])
            }
        }
        if !added.isEmpty { add(added, to: &edits) }
        return edits.isEmpty ? bytes : edits.applied(to: bytes)
    }

    private func add(_ lines: [UInt8], to edits: inout ByteEdits) {
        switch end {
        case .tag(let offset):
            let isAtLineStart = offset > 0 && bytes[offset - 1] == 0x0A
            edits.insert((isAtLineStart ? [] : [0x0A]) + lines, at: offset)
        case .empty(let range):
            edits.replace(range, with: Array("<map>\n".utf8) + lines + Array("</map>".utf8))
        }
    }

    /// The element with the white space before it, so that its removal leaves no empty line.
    private func line(of range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        if start > 0, bytes[start - 1] == 0x0A { start -= 1 }
        if start > 0, bytes[start - 1] == 0x0D { start -= 1 }
        return start..<range.upperBound
    }
}
