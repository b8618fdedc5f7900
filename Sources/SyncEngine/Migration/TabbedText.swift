/// Fields parted by tabs, on lines: whatever a text holds, as a field it has neither.
extension String {
    var asField: String {
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

    init(field: Substring) {
        self = ""
        var isEscape = false
        for scalar in field.unicodeScalars {
            if isEscape {
                unicodeScalars.append(scalar == "t" ? "\t" : scalar == "n" ? "\n" : scalar)
                isEscape = false
            } else if scalar == "\\" {
                isEscape = true
            } else {
                unicodeScalars.append(scalar)
            }
        }
    }
}
