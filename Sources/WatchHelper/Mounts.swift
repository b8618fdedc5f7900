// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// The mounts below the roots. The kernel sends no event to a watched directory that something is mounted
/// over.
struct Mounts {
    /// `poll` reports an exceptional condition on it after any mount or unmount; -1 if it is not available.
    let descriptor: Int32
    private var known: Set<Bytes> = []

    init() { descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }

    /// Whether the mounts below one of these paths have changed.
    mutating func changed(beneath paths: [Bytes]) -> Bool {
        guard let table = read() else { return true }
        let prefixes = paths.map { $0 + [UInt8(ascii: "/")] }
        var mounts: Set<Bytes> = []
        for line in table.split(separator: UInt8(ascii: "\n")) {
            // "36 35 98:0 /what /where options …", with spaces in octal; each mount has a new number.
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard words.count > 5 else { continue }
            let point = Self.unescape(words[4])
            if prefixes.contains(where: { point.starts(with: $0) }) { mounts.insert(words[0] + point) }
        }
        defer { known = mounts }
        return mounts != known
    }

    private func read() -> Bytes? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        var table: Bytes = []
        while true {
            let part = unsafe Bytes(unsafeUninitializedCapacity: 16_384) { buffer, count in
                count = max(0, unsafe Glibc.read(descriptor, buffer.baseAddress, 16_384))
            }
            if part.isEmpty { return table }
            table += part
        }
    }

    private static func unescape(_ word: ArraySlice<UInt8>) -> Bytes {
        var bytes: Bytes = []
        var rest = word
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3 {
                bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 &- UInt8(ascii: "0")) })
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
