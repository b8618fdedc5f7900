/// Replacements of parts of a file, which leave the rest as it is.
struct ByteEdits {
    /// Of ranges that do not overlap.
    private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

    var isEmpty: Bool { edits.isEmpty }

    mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { edits.append((range, bytes)) }

    mutating func insert(_ bytes: [UInt8], at offset: Int) { replace(offset..<offset, with: bytes) }

    func applied(to file: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(file.count + edits.reduce(0) { $0 + $1.bytes.count })
        var start = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += file[start..<edit.range.lowerBound]
            result += edit.bytes
            start = edit.range.upperBound
        }
        result += file[start...]
        return result
    }
}
