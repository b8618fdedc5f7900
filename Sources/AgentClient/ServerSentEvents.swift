/// Parses server-sent events (WHATWG HTML, 9.2.6), as far as the agent uses them: the data of each event,
/// whatever its name. Comments and other fields are skipped.
struct ServerSentEvents {
    /// A notice has about 300 bytes.
    static let mostBytes = 1 << 20

    private var line: [UInt8] = []
    /// The lines of the event so far, each followed by a newline.
    private var data: [UInt8] = []
    private var isFirstLine = true
    /// The last byte was a carriage return: a newline that follows belongs to the same line end.
    private var hasReturned = false

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let field = Array("data".utf8)

    /// Returns the data of the events that `bytes` complete.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(EventTooLong) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes {
            if byte == Self.newline, hasReturned {
                hasReturned = false
                continue
            }
            hasReturned = byte == Self.carriageReturn
            if byte == Self.newline || hasReturned {
                if let event = try endLine() { events.append(event) }
                continue
            }
            guard line.count < Self.mostBytes + Self.field.count + 2 else { throw EventTooLong() }
            line.append(byte)
        }
        return events
    }

    private mutating func endLine() throws(EventTooLong) -> [UInt8]? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: "\u{FEFF}".utf8) { line.removeFirst(3) }
        isFirstLine = false
        if line.isEmpty {
            defer { data.removeAll() }
            return data.isEmpty ? nil : data.dropLast()
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        guard line[..<colon].elementsEqual(Self.field) else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        guard data.count + value.count <= Self.mostBytes else { throw EventTooLong() }
        data += value
        data.append(Self.newline)
        return nil
    }
}

/// An event is longer than any notice.
struct EventTooLong: Error, Hashable {
    var bound = ServerSentEvents.mostBytes
}
