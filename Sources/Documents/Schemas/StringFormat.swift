/// The formats of JSON Schema that are checked.
package enum StringFormat: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date
    case uuid
    case uri

    func fits(_ text: [UInt8]) -> Bool {
        switch self {
        case .dateTime:
            // RFC 3339 allows applications a space instead of `T`; JSON Schema does not.
            guard let time = TimeText(text), text.count > 10, text[10] != 0x20 else { return false }
            return time.zone != .missing
        case .date:
            var scanner = DigitScanner(text)
            return scanner.date() != nil && scanner.isAtEnd
        case .uuid:
            return text.count == 36
                && text.enumerated().allSatisfy { index, byte in
                    [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : hexValue(byte) != nil
                }
        case .uri: return URIText(text) != nil
        }
    }
}

/// A URI with a scheme, by the grammar of RFC 3986.
struct URIText {
    let scheme: ArraySlice<UInt8>

    init?(_ text: [UInt8]) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        scheme = text[..<colon]
        guard let first = scheme.first, first.isLetter,
            scheme.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        var rest = text[(colon + 1)...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            guard Self.consists(rest[(hash + 1)...], of: "/?:@") else { return nil }
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            guard Self.consists(rest[(mark + 1)...], of: "/?:@") else { return nil }
            rest = rest[..<mark]
        }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard Self.isAuthority(authority) else { return nil }
            rest = rest[authority.endIndex...]
        }
        guard Self.consists(rest, of: "/:@") else { return nil }
    }

    private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        var host = text
        if let at = text.firstIndex(of: UInt8(ascii: "@")) {
            guard consists(text[..<at], of: ":") else { return false }
            host = text[(at + 1)...]
        }
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")),
                isAddress(host[(host.startIndex + 1)..<end])
            else { return false }
            return isPort(host[(end + 1)...])
        }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        return consists(name, of: "") && isPort(host[name.endIndex...])
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        text.isEmpty || (text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(\.isDigit))
    }

    /// Whether the text has only unreserved characters, sub-delimiters, escapes, and `others`.
    private static func consists(_ text: ArraySlice<UInt8>, of others: StaticString) -> Bool {
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst().flatMap(hexValue) != nil, rest.popFirst().flatMap(hexValue) != nil
                else {
                    return false
                }
            } else if !(byte.isLetter || byte.isDigit || "-._~!$&'()*+,;=".utf8.contains(byte)
                || others.description.utf8.contains(byte))
            {
                return false
            }
        }
        return true
    }

    /// An IPv6 address, or one of a future version.
    private static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        if let first = text.first, first | 0x20 == UInt8(ascii: "v") {
            let parts = text.dropFirst().split(separator: UInt8(ascii: "."), maxSplits: 1)
            return parts.count == 2 && parts[0].allSatisfy { hexValue($0) != nil }
                && consists(parts[1], of: ":") && !parts[1].contains(UInt8(ascii: "%"))
        }
        var groups = 0
        var hasGap = false
        var rest = text
        if rest.starts(with: "::".utf8) {
            hasGap = true
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let group = rest.prefix { $0 != UInt8(ascii: ":") }
            rest = rest[group.endIndex...]
            if rest.isEmpty, group.contains(UInt8(ascii: ".")) {
                guard isIPv4(group) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(group.count), group.allSatisfy({ hexValue($0) != nil }) else {
                return false
            }
            groups += 1
            if rest.starts(with: "::".utf8) {
                if hasGap { return false }
                hasGap = true
                rest = rest.dropFirst(2)
            } else if rest.popFirst() != nil, rest.isEmpty {
                return false
            }
        }
        return hasGap ? groups < 8 : groups == 8
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
            }
    }
}

extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
