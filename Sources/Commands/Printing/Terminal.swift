import FoundationEssentials
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

    /// What a person's terminal is asked to do beside printing text.
    var abilities = TerminalAbilities()
    var usesColour: Bool { abilities.usesColour }
    /// As wide as the terminal on standard output; `nil` where that is none, and a program may read it.
    var columns: Int?
    /// A person sees standard error, and may be shown progress.
    var isInteractive = false
    /// The command may end the process, which is not so within a test.
    var ownsProcess = false
    var output: Sink
    var errors: Sink

    static var standard: Terminal {
        Terminal(
            abilities: TerminalAbilities(
                isTerminal: isatty(STDOUT_FILENO) == 1,
                environment: ProcessInfo.processInfo.environment
            ),
            columns: terminalColumns(of: STDOUT_FILENO),
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
        guard abilities.rewritesLines else { return }
        _ = errors(Array("\r\u{1B}[K\(text)".utf8))
    }
}

/// `nil` where it is no terminal; 80 where that does not tell.
private func terminalColumns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
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
    /// Names come from the disk and may hold what a terminal would obey, an end of line, or what turns the
    /// direction of the text around it.
    var withoutControls: String {
        // Bytes that can only be of printable characters: C2, D8 and E2 begin the others, and more.
        let isPlain = utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xD8 && $0 != 0xE2
        }
        if isPlain || !unicodeScalars.contains(where: \.isControl) { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isControl {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// It says how to show others, and shows nothing itself.
    var isControl: Bool {
        switch value {
        // Marks, embeddings, overrides and isolates of direction; ends of lines and paragraphs.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
