/// A property list in either encoding, which it keeps; a new one is binary.
package enum PropertyList: KeyedFile {
    case binary(BinaryPropertyList)
    case xml(XMLPropertyList)

    package init() { self = .binary(BinaryPropertyList()) }

    package init(parsing bytes: [UInt8], limits: StoreLimits = StoreLimits()) throws(StoreFault) {
        if bytes.starts(with: BinaryObjectTable.magic) {
            self = .binary(try BinaryPropertyList(parsing: bytes, limits: limits))
            return
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).drop(while: \.isXMLSpace)
        if let encoding = Self.foreignEncoding(of: text) {
            throw .malformed(.xmlPropertyList, .offset(0), .encoding(encoding))
        }
        guard text.first == UInt8(ascii: "<") else { throw .notTheFormat(.binaryPropertyList) }
        self = .xml(try XMLPropertyList(parsing: bytes, limits: limits))
    }

    /// What programs have written as property lists and this does not read, by its first bytes.
    private static func foreignEncoding(of text: ArraySlice<UInt8>) -> String? {
        switch (text.first, text.dropFirst().first) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0x00, UInt8(ascii: "<")), (UInt8(ascii: "<"), 0x00): "UTF-16"
        // A dictionary, a list, a string, a comment, or data.
        case (UInt8(ascii: "{"), _), (UInt8(ascii: "("), _), (UInt8(ascii: "\""), _),
            (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "/"), UInt8(ascii: "*")):
            "OpenStep"
        default: nil
        }
    }

    private var file: any KeyedFile {
        switch self {
        case .binary(let file): file
        case .xml(let file): file
        }
    }

    package var format: FileFormat {
        switch self {
        case .binary: .binaryPropertyList
        case .xml: .xmlPropertyList
        }
    }

    package var keys: [String] { file.keys }

    package subscript(key: String) -> StoreValue? { file[key] }

    package func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        try file.replacing(changes)
    }
}
