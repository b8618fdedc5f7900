import Glibc

/// Where a command prints: what programs read on standard output, everything else on standard error.
struct Terminal: Sendable {
    typealias Sink = @Sendable ([UInt8]) -> Written

    /// What became of what was to be printed.
    enum Written: Hashable {
        case all
        /// Nobody reads any more.
        case unread
        /// The disk is full, or the like.
        case failed(errno: Int32)
    }

    /// Colours are for people, and only where they did not say that they want none (no-color.org).
    var usesColour = false
    /// A person sees standard error, and may be shown progress.
    var isInteractive = false
    /// The command may end the process, which is not so within a test.
    var ownsProcess = false
    var output: Sink
    var errors: Sink

    static var standard: Terminal {
        let wantsNone = unsafe getenv("NO_COLOR").map { unsafe $0.pointee != 0 } ?? false
        return Terminal(
            usesColour: isatty(STDOUT_FILENO) == 1 && !wantsNone,
            isInteractive: isatty(STDERR_FILENO) == 1,
            ownsProcess: true,
            output: { write($0, to: STDOUT_FILENO) },
            errors: { write($0, to: STDERR_FILENO) }
        )
    }

    func print(_ text: String, endingWith status: CommandStatus = .done) {
        print(Array(text.utf8), endingWith: status)
    }

    /// Ends the process quietly where nobody reads any more, as in `| head`; and with an error where what was
    /// printed is not whole, which nobody could tell from it.
    ///
    /// - Parameter status: what it would have ended with.
    func print(_ bytes: [UInt8], endingWith status: CommandStatus = .done) {
        let written = output(bytes)
        if written == .all { return }
        var status = status
        if case .failed(let errno) = written {
            let prose = ErrorProse(unprinted: errno)
            complain(prose.line)
            status = prose.status
        }
        if ownsProcess { exit(status.rawValue) }
    }

    func complain(_ line: String) {
        _ = errors(Array("\(line)\n".utf8))
    }

    /// Without an end of line: the next is written over it.
    func show(progress text: String) {
        _ = errors(Array("\r\u{1B}[K\(text)".utf8))
    }
}

private func write(_ bytes: [UInt8], to descriptor: Int32) -> Terminal.Written {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if count < 0 { return errno == EPIPE ? .unread : .failed(errno: errno) }
        rest = rest.dropFirst(count)
    }
    return .all
}

extension String {
    /// Names come from the disk and may hold what a terminal would obey, or an end of line.
    var withoutControls: String {
        // Bytes that can only be of printable characters; C2 begins the rest of the controls, and more.
        if utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
