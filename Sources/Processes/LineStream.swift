import Foundation
import Glibc

/// The lines of a descriptor, read on a thread of its own, because reading waits.
package enum LineStream {
    /// Of a longer line only the beginning is kept.
    private static let longest = 4096

    package static func lines(of descriptor: Int32) -> AsyncStream<String> {
        AsyncStream { lines in
            let thread = Thread {
                var splitter = LineSplitter(longest: longest)
                var buffer = [UInt8](repeating: 0, count: longest)
                while true {
                    let count = unsafe read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { break }
                    for line in splitter.lines(adding: buffer[..<count]) { lines.yield(line) }
                }
                lines.finish()
            }
            thread.name = "lines"
            thread.start()
        }
    }
}

/// Splits what is read into lines.
struct LineSplitter {
    let longest: Int
    private var rest: [UInt8] = []

    init(longest: Int) { self.longest = longest }

    /// The lines that end with these bytes, as far as the limit goes.
    mutating func lines(adding bytes: ArraySlice<UInt8>) -> [String] {
        var lines: [String] = []
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let part = parts.popFirst() {
            rest += part.prefix(longest - rest.count)
            if parts.isEmpty { break }
            lines.append(String(decoding: rest, as: UTF8.self))
            rest = []
        }
        return lines
    }
}
