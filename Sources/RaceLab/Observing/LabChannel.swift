import CLinux
import Glibc
import Model
import Processes

/// The lab's end of the descriptor on which a program reports what it saves and reads.
package final class LabChannel {
    /// The variable that names the descriptor to the program.
    package static let variable = "WIDGETBRIDGE_LAB_FD"
    /// One digit: a shell redirects to no other. No common use of a higher or lower one is known of it.
    static let number: Int32 = 8

    package enum Line: Sendable, Hashable {
        case known(LabLine)
        /// No line of the protocol; its beginning.
        case unknown(String)
    }

    private let descriptor: Int32
    private var rest: [UInt8] = []
    /// The rest of a line that is too long is skipped.
    private var isSkipping = false

    /// A longer line is none of the protocol.
    private static let mostBytes = 64 << 10
    private static let mostShown = 80

    /// Takes over the descriptor, which must be a socket.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The new lines; does not wait.
    func lines() -> [Line] {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, filled in
            filled = max(0, unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
        }
        var lines: [Line] = []
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if !isSkipping { lines.append(Self.line(rest[..<end])) }
            isSkipping = false
            rest.removeFirst(end + 1)
        }
        if rest.count > Self.mostBytes {
            if !isSkipping { lines.append(Self.line(rest[...])) }
            isSkipping = true
        }
        if isSkipping { rest = [] }
        if !rest.isEmpty, hasEnded {
            lines.append(Self.line(rest[...]))
            rest = []
        }
        return lines
    }

    /// Whether all was read, and nobody has the other end any more: what is left is the last line, which need
    /// not end with a newline.
    private var hasEnded: Bool {
        var next: UInt8 = 0
        return unsafe recv(descriptor, &next, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line {
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.count <= mostBytes, let line = LabLine(text) { return .known(line) }
        return .unknown(String(text.prefix(mostShown)))
    }
}

extension LabChannel.Line {
    /// The beginning of the line.
    var text: String {
        switch self {
        case .known(let line): line.document?.description ?? ""
        case .unknown(let text): text
        }
    }
}
