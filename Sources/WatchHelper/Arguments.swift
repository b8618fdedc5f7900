// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// The command line: directories, and two flags.
struct Arguments {
    var directories: [Bytes] = []
    var evidence = false
    var help = false

    struct Misuse: Error {
        let text: String
    }

    init(_ arguments: [Bytes]) throws(Misuse) {
        var onlyDirectories = false
        for argument in arguments {
            if onlyDirectories || argument.first != UInt8(ascii: "-") {
                guard !argument.isEmpty else { throw Misuse(text: "a directory's name is empty") }
                directories.append(argument)
                continue
            }
            switch String(decoding: argument, as: UTF8.self) {
            case "--": onlyDirectories = true
            case "--evidence": evidence = true
            case "--help", "-h": help = true
            case let other: throw Misuse(text: "unknown option \(other.debugDescription)")
            }
        }
        if directories.isEmpty && !help { throw Misuse(text: "which directory is to be watched?") }
    }

    /// As the kernel passed them: Swift's own would repair a name that is not UTF-8.
    static var ofProcess: [Bytes] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe Bytes(cString: argument)
        }
    }

    static let helpText = """
        USAGE: widgetbridge-watch [--evidence] DIR...

        Says what may have changed beneath directories, a line each, until its input ends.

        Nothing is said of names that begin with a dot, and symbolic links are not followed.
        A hint never says what happened; look for yourself. None is missed: directories are
        watched before they are listed, and where the kernel lost events, `all` says so.

        OPTIONS:
          --evidence  Tell also who read and who wrote, in the order in which it happened.
          -h, --help  Show this.

        LINES (ROOT is the number of the DIR, from 0; PATH is relative to it):
          ready             everything is watched; from here on no change is missed
          look ROOT PATH    look at this file; with a `/` at its end, at everything beneath
          all ROOT REASON   look at everything: overflow, root-lost, root-back, unmounted,
                            unsteady, or `watch-limit N ...`: N directories are not watched
                            (0: all are again)
          token WORD        answer: all that was done before the command has been said
          alive             answer to `ping`
          error TEXT        a command was not understood
        In a PATH a byte that is no printable text, and the backslash, is written \\xHH.

        LINES with --evidence, of one document in the order of the kernel's queue (what is known
        of a document is void after `all`, and after a `look` at a directory it is in):
          publish   exchanged with a file whose name begins with .widgetbridge
          save      renamed into place, or made, by somebody else
          open      opened; `close` or `read` follows unless it is still open
          read      read, or closed by somebody who could only read
          write     changed in place
          close     closed by somebody who could write
          gone      renamed away, or deleted, by somebody else

        COMMANDS, lines on standard input:
          token WORD        answer with the same line once all before it has been said
          rescan ROOT       look whether everything is still watched
          ping              answer with `alive` at once, between two pieces of work
        At the end of the input the tokens are still answered; then the program ends.

        EXAMPLE:
          $ widgetbridge-watch ~/app ~/group
          ready
          look 0 budget.json

        EXIT STATUS: 0 its input ended, nobody reads any more, SIGINT or SIGTERM · 1 a
        directory is missing or unreadable, or there is no inotify instance left · 64 usage

        """
}
