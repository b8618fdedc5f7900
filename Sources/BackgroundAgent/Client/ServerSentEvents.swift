/// Takes a stream of bytes apart into server-sent events, as much of that format as the agent speaks: the
/// data of each event, whatever its name. Comments and fields nobody asked for are passed over.
struct ServerSentEvents {
    /// A notice is some 300 bytes; a line that never ends is none.
    static let longestLine = 1 << 20

    private var line: [UInt8] = []
    private var data: [UInt8] = []

    /// The data of the events that `bytes` complete; `nil` for what cannot be one.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]]? {
        var events: [[UInt8]] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                guard line.count < Self.longestLine else { return nil }
                line.append(byte)
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> [UInt8]? {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty {
            defer { data.removeAll() }
            return data.isEmpty ? nil : data
        }
        if line.starts(with: "data:".utf8) {
            data += line.dropFirst(line.count > 5 && line[5] == UInt8(ascii: " ") ? 6 : 5)
        }
        return nil
    }
}
