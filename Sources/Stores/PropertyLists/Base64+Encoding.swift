extension Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// In one line, with its padding.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var group = 0
            for byte in part { group = group << 8 | Int(byte) }
            group <<= 8 * (3 - part.count)
            for index in 0..<4 {
                text.append(index <= part.count ? digits[group >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return text
    }
}
