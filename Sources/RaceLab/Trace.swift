/// All events of a run in order, as one hash; and as lines, if requested.
package struct Trace: Sendable {
    package private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    package private(set) var lines: [String] = []
    private let isKept: Bool

    package init(isKept: Bool) { self.isKept = isKept }

    /// `line` is evaluated only if lines are kept.
    package mutating func record(_ what: String, _ detail: String = "", _ number: Int = 0) {
        for byte in what.utf8 { mix(byte) }
        for byte in detail.utf8 { mix(byte) }
        for shift in stride(from: 0, to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: number >> shift)) }
        if isKept { lines.append("\(what) \(detail)\(number == 0 ? "" : " \(number)")") }
    }

    /// Adds a line without changing the hash.
    package mutating func remark(_ text: @autoclosure () -> String) {
        if isKept { lines.append(text()) }
    }

    /// FNV-1a.
    private mutating func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
}
