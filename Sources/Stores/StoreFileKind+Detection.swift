package import Documents

extension StoreFileKind {
    /// What a file with values is, by its bytes; `nil` if it is none that is known. A damaged file is what it
    /// begins as.
    package init?(detecting bytes: [UInt8]) {
        if bytes.starts(with: "SQLite format 3\0".utf8) {
            self = .database
            return
        }
        if bytes.starts(with: "bplist".utf8) {
            self = .propertyList
            return
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).drop(while: \.isXMLSpace)
        switch text.first {
        case UInt8(ascii: "{"): self = .manifest
        case UInt8(ascii: "<"): self = Self.isMap(bytes) ? .preferences : .propertyList
        default: return nil
        }
    }

    /// Whether XML has the root element of Android's preferences.
    private static func isMap(_ bytes: [UInt8]) -> Bool {
        guard var reader = try? MarkupReader(bytes, format: .sharedPreferences, characters: .android) else {
            return false
        }
        while let token = (try? reader.next()) ?? nil {
            if case .start(let element) = token.kind { return element.name == "map" }
        }
        return false
    }
}
