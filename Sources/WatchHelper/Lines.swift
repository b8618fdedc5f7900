// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// The lines for standard output: collected until `flush`, each hint only once.
///
/// Dropping a repeated hint is safe, because the batch is written after all of its events happened.
struct Lines {
    private var batch: Bytes = []
    private var hints: Set<Bytes> = []
    private var lastEvidence: [Bytes: Evidence] = [:]
    /// A client waits for a line of the batch. Access events alone can wait for the next hint or token.
    private(set) var isUrgent = false

    enum Evidence: String {
        case publish, save, open, read, write, close, gone
    }

    /// A batch of this size is written at once.
    static let enough = 32 * 1024

    var isFull: Bool { batch.count >= Self.enough }
    var isEmpty: Bool { batch.isEmpty }

    /// A hint for one document, or for everything below one directory.
    mutating func look(root: Int, path: Bytes, beneath: Bool = false) {
        var line = Bytes("look \(root) ".utf8)
        Self.escape(path.isEmpty ? [UInt8(ascii: ".")] : path, into: &line)
        if beneath || path.isEmpty { line.append(UInt8(ascii: "/")) }
        hint(line)
    }

    mutating func all(root: Int, _ reason: String) {
        hint(Bytes("all \(root) \(reason)".utf8))
    }

    private mutating func hint(_ line: Bytes) {
        guard hints.insert(line).inserted else { return }
        isUrgent = true
        batch += line
        batch.append(UInt8(ascii: "\n"))
    }

    /// An access event, in the order of the kernel's queue. Repeated reads or writes are reported once; each
    /// open and close is reported, so that they can be counted.
    mutating func evidence(_ evidence: Evidence, root: Int, path: Bytes) {
        var line = Bytes("\(evidence.rawValue) \(root) ".utf8)
        Self.escape(path, into: &line)
        let key = Bytes("\(root)/".utf8) + path
        let last = lastEvidence.updateValue(evidence, forKey: key)
        guard last != evidence || (evidence != .read && evidence != .write) else { return }
        batch += line + [UInt8(ascii: "\n")]
    }

    mutating func add(_ line: String) {
        isUrgent = true
        batch += "\(line)\n".utf8
    }

    /// Writes the batch, in one call if the reader has room.
    mutating func flush() throws(SystemError) {
        guard !batch.isEmpty else { return }
        var written = 0
        while written < batch.count {
            let count = unsafe batch[written...].withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw .last }
            written += max(count, 0)
        }
        batch.removeAll(keepingCapacity: true)
        hints.removeAll(keepingCapacity: true)
        lastEvidence.removeAll(keepingCapacity: true)
        isUrgent = false
    }

    /// Escapes every byte that is not plain text as a backslash and two hex digits.
    static func escape(_ bytes: Bytes, into line: inout Bytes) {
        var index = 0
        while index < bytes.count {
            let length = wellFormedLength(bytes, at: index)
            if length == 0 {
                line += [
                    UInt8(ascii: "\\"), UInt8(ascii: "x"), hex(bytes[index] >> 4), hex(bytes[index] & 15),
                ]
                index += 1
            } else {
                line += bytes[index..<index + length]
                index += length
            }
        }
    }

    /// The length of the printable character at `index`, in bytes; 0 if there is none.
    private static func wellFormedLength(_ bytes: Bytes, at index: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 {
            return first < 0x20 || first == 0x7F || first == UInt8(ascii: "\\") ? 0 : 1
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0
        guard length > 0, index + length <= bytes.count else { return 0 }
        let character = bytes[index..<index + length]
        // U+0080 to U+009F are control characters of terminals.
        guard String(validating: character, as: UTF8.self) != nil, !(first == 0xC2 && bytes[index + 1] < 0xA0)
        else { return 0 }
        return length
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
