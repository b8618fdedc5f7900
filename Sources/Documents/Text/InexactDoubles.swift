/// Numbers that lose digits in programs that read all numbers as doubles (RFC 8259, 6).
///
/// Not among a document's own warnings, because to find them takes time, and this program keeps such numbers.
package struct InexactDoubles {
    /// At most `JSON.mostWarnings`, in the order of the text.
    package private(set) var warnings: [JSONWarning] = []

    package init(in json: JSON) {
        var finder = PositionFinder(json.bytes)
        for node in json.nodes where node.kind == .number && warnings.count < JSON.mostWarnings {
            let text = String(decoding: json.bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
            guard let double = Double(text), DecimalNumber(text) != DecimalNumber("\(double)") else {
                continue
            }
            let position = finder.position(of: Int(node.start))
            warnings.append(JSONWarning(kind: .inexactDouble(text, double), position: position))
        }
    }
}

/// The value of a decimal number, however it is written.
private struct DecimalNumber: Hashable {
    /// Without zeros at either end; empty for zero.
    private var digits: [UInt8]
    /// Of the first digit. `nil` if it is too large to be told.
    private var exponent: Int?
    private var isNegative: Bool

    init(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0).split { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts.first.map { Array($0) } ?? []
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.count
        let all = mantissa.filter { $0 != UInt8(ascii: ".") }
        let zeros = all.prefix { $0 == UInt8(ascii: "0") }.count
        digits = Array(all.dropFirst(zeros))
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let power = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0
        let first = power?.addingReportingOverflow(point - zeros)
        exponent = digits.isEmpty ? 0 : first.flatMap { $0.overflow ? nil : $0.partialValue }
        self.isNegative = isNegative && !digits.isEmpty
    }
}
