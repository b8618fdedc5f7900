/// Fields separated by tabs, on lines. Tabs and line breaks in a field are escaped.
extension String {
    package var asField: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    package init(field bytes: ArraySlice<UInt8>) {
        guard bytes.contains(UInt8(ascii: "\\")) else {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        var result: [UInt8] = []
        var isEscape = false
        for byte in bytes {
            if isEscape {
                result.append(byte == UInt8(ascii: "t") ? 0x09 : byte == UInt8(ascii: "n") ? 0x0A : byte)
                isEscape = false
            } else if byte == UInt8(ascii: "\\") {
                isEscape = true
            } else {
                result.append(byte)
            }
        }
        self.init(decoding: result, as: UTF8.self)
    }
}

extension Location {
    /// Two fields: the root and the path.
    package var asFields: String { "\(root.rawValue)\t\(path.description.asField)" }

    /// A location in a container.
    package init?(side: Substring, path field: Substring) {
        guard let side = Side(rawValue: String(side)),
            let path = RelativePath(String(field: Array(field.utf8)[...]))
        else { return nil }
        self.init(side, path)
    }
}
