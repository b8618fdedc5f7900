// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// Standard input, split into lines.
struct Input {
    private var rest: Bytes = []
    private(set) var hasEnded = false

    static let longestLine = 256

    /// The received lines; `nil` for a line that is too long.
    mutating func readLines() -> [String?] {
        let space = 4096
        let came = unsafe Bytes(unsafeUninitializedCapacity: space) { buffer, count in
            count = max(0, unsafe read(0, buffer.baseAddress, space))
        }
        if came.isEmpty { hasEnded = true }
        rest += came
        var lines: [String?] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(end <= Self.longestLine ? String(validating: rest[..<end], as: UTF8.self) : nil)
            rest.removeSubrange(...end)
        }
        if rest.count > 2 * Self.longestLine { rest.removeSubrange(Self.longestLine...) }
        return lines
    }
}

extension Session {
    mutating func readCommands() {
        for line in input.readLines() {
            guard let line, line.utf8.count <= Input.longestLine else {
                lines.add("error a command is a line of at most \(Input.longestLine) bytes of UTF-8")
                continue
            }
            obey(line.split(separator: " ").map(String.init))
        }
    }

    private mutating func obey(_ words: [String]) {
        switch (words.first, words.count) {
        case (nil, _): break
        case ("token", 2) where words[1].utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }:
            checkRoots()
            mayHoldEvents = true
            tokens.append(Token(text: words[1], mark: kernel.mark(markable), closes: nil))
        case ("rescan", 2):
            guard let root = Int(words[1]), roots.indices.contains(root) else {
                return lines.add("error `rescan` takes a number from 0 to \(roots.count - 1)")
            }
            checkRoots()
            scanAgain(root)
        case ("ping", 1): lines.add("alive")
        default:
            lines.add("error unknown command; there are `token WORD`, `rescan NUMBER` and `ping`")
        }
    }
}
