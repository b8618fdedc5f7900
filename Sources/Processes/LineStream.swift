import Foundation
import Glibc

/// The lines of a descriptor, read on a thread of its own, because reading waits.
package enum LineStream {
    /// A longer line is cut into several.
    private static let longest = 4096

    package static func lines(of descriptor: Int32) -> AsyncStream<String> {
        AsyncStream { lines in
            let thread = Thread {
                var rest: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: longest)
                while true {
                    let count = unsafe read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { break }
                    rest += buffer[..<count]
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        lines.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest.removeSubrange(...end)
                    }
                    if rest.count > longest {
                        lines.yield(String(decoding: rest, as: UTF8.self))
                        rest = []
                    }
                }
                lines.finish()
            }
            thread.name = "lines"
            thread.start()
        }
    }
}
