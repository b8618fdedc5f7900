import Stores

extension FuzzTarget {
    /// XML: every token has its bytes, one behind the other, and texts are read back as they are written.
    static func tokenizing(_ bytes: [UInt8]) -> String? {
        guard var reader = try? MarkupReader(bytes, format: .xmlPropertyList) else { return nil }
        var end = 0
        while let token = try? reader.next() {
            if token.range.lowerBound < end { return "a token begins before the last has ended" }
            end = token.range.upperBound
            if case .text(let text) = token.kind, rereading(text) != text { return "a text is not read back" }
        }
        return nil
    }

    private static func rereading(_ text: String) -> String? {
        guard let written = try? MarkupEscape.text.escaped(text),
            var reader = try? MarkupReader(
                Array("<a>".utf8) + written + Array("</a>".utf8),
                format: .xmlPropertyList
            )
        else { return nil }
        _ = try? reader.next()
        return try? reader.elementText()
    }

    /// A file with keys: no change leaves it as it is, and a change of one key changes no other.
    static func replacing<File: KeyedFile>(
        _ type: File.Type,
        _ bytes: [UInt8],
        added: StoreValue
    ) -> String? {
        guard let file = try? File(parsing: bytes, limits: StoreLimits()) else { return nil }
        for key in [file.keys.first, file.keys.last, "new"].compactMap(\.self) {
            for value in [added, nil] {
                let written: [UInt8]
                do throws(StoreFault) { written = try file.replacing([ExactText(key): value]) } catch {
                    // An app's own file may have such a key.
                    if case .forbiddenCharacter = error { continue }
                    return "a change cannot be written"
                }
                guard let found = try? File(parsing: written, limits: StoreLimits()) else {
                    return "what was written cannot be read"
                }
                if found[key] != value { return "the value is not the one that was written" }
                for other in file.keys
                where !other.utf8.elementsEqual(key.utf8) && found[other] != file[other] {
                    return "another value has changed"
                }
            }
        }
        return (try? file.replacing([:])) == bytes ? nil : "no change changes it"
    }
}
