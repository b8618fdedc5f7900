import FoundationEssentials
import Glibc
import Model

/// The standard streams of a command: results go to standard output, everything else to standard error.
struct Terminal: Sendable {
    typealias Sink = @Sendable ([UInt8]) -> Written

    /// The outcome of a write.
    enum Written: Hashable {
        case all
        /// The reader has closed the pipe.
        case unread
        /// The write failed, for example because the disk is full.
        case failed(errno: Int32)
    }

    /// The escape sequences that the terminal may be sent.
    var abilities = TerminalAbilities()
    var usesColour: Bool { abilities.usesColour }
    /// The width of the terminal on standard output; `nil` if standard output is not a terminal.
    var columns: Int?
    /// Standard error is a terminal, so progress can be shown.
    var isInteractive = false
    /// The exit status if the result cannot be printed, unless another one weighs more.
    var unprinted = CommandStatus.failed
    /// Whether the command may end the process; `false` in tests.
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

    func print(_ text: String, endingWith status: CommandStatus = .done, after done: String? = nil) {
        print(Array(text.utf8), endingWith: status, after: done)
    }

    /// Ends the process quietly if the reader has closed the pipe, as in `| head`, and with an error if the
    /// output is incomplete, because its reader could not detect that.
    ///
    /// - Parameters:
    ///   - status: the exit status if all is written.
    ///   - done: what was done, and stays so if this cannot be printed.
    func print(_ bytes: [UInt8], endingWith status: CommandStatus = .done, after done: String? = nil) {
        let written = output(bytes)
        if written == .all { return }
        var status = status
        if case .failed(let errno) = written {
            complain(ErrorProse(unprinted: errno, after: done).line)
            status = .heaviest([status, unprinted])
        }
        if ownsProcess { exit(status.rawValue) }
    }

    /// Makes what is printed next replace what is on the screen.
    func clear() {
        guard columns != nil, abilities.rewritesLines else { return }
        _ = output(Array("\u{1B}[H\u{1B}[2J".utf8))
    }

    func complain(_ line: String) {
        _ = errors(Array("\(line)\n".utf8))
    }

    /// Without a newline, so that the next text replaces this one.
    func show(progress text: String) {
        guard abilities.rewritesLines else { return }
        _ = errors(Array("\r\u{1B}[K\(text)".utf8))
    }
}

/// `nil` if it is not a terminal; 80 if the terminal does not report its width.
func terminalColumns(of descriptor: Int32) -> Int? {
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
    /// Escapes control characters. Names come from the disk and may contain escape sequences, line ends, or
    /// characters that change the direction of the surrounding text.
    var withoutControls: String {
        // Shortcut: none of these bytes can be part of a control character; C2, D8, E2 and others can.
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
