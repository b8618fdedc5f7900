/// Divides an expression into its words and signs.
struct ExpressionLexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    private static let longSigns = ["&&", "||", "[]", "[?", "!=", "==", "<=", ">=", "//"]
    /// By the grammar, U+2212 is a minus sign, which its examples write as U+2013.
    private static let otherSigns: [Unicode.Scalar: ExpressionToken.Sign] = [
        "\u{2212}": .minus, "\u{2013}": .minus, "÷": .divide,
    ]

    /// All tokens; the last one is the end.
    mutating func tokens() throws(ExpressionError) -> [ExpressionToken] {
        var tokens: [ExpressionToken] = []
        repeat { tokens.append(try next()) } while tokens.last?.kind != .end
        return tokens
    }

    private mutating func next() throws(ExpressionError) -> ExpressionToken {
        while let scalar = peek(), " \t\n\r".unicodeScalars.contains(scalar) { index += 1 }
        let column = index + 1
        let kind = try kind()
        return ExpressionToken(kind: kind, column: column, end: index + 1)
    }

    private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        index + ahead < scalars.count ? scalars[index + ahead] : nil
    }

    private mutating func kind() throws(ExpressionError) -> ExpressionToken.Kind {
        guard let first = peek() else { return .end }
        switch first {
        case "A"..."Z", "a"..."z", "_": return .name(word())
        case "0"..."9": return .number(number())
        case "\"": return .quotedName(try quotedName())
        case "'": return .raw(try rawString())
        case "`": return .literal(try literal())
        case "$":
            index += 1
            if let next = peek(), Self.beginsName(next) { return .variable(word()) }
            return .sign(.root)
        default: return .sign(try sign(first))
        }
    }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "_": true
        default: false
        }
    }

    private mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let next = peek(), Self.beginsName(next) || ("0"..."9").contains(next) {
            word.append(next)
            index += 1
        }
        return String(word)
    }

    private mutating func number() -> Int {
        var value = 0
        while let next = peek(), ("0"..."9").contains(next) {
            // No array is longer.
            value = min(value * 10 + Int(next.value - 0x30), Int(UInt32.max))
            index += 1
        }
        return value
    }

    private mutating func sign(_ first: Unicode.Scalar) throws(ExpressionError) -> ExpressionToken.Sign {
        if let second = peek(1) {
            let pair = "\(first)\(second)"
            if Self.longSigns.contains(pair), let sign = ExpressionToken.Sign(rawValue: pair) {
                index += 2
                return sign
            }
        }
        guard let sign = ExpressionToken.Sign(rawValue: String(first)) ?? Self.otherSigns[first] else {
            throw ExpressionError(
                column: index + 1,
                reason: .unexpected(.text(String(first)), expected: .expression)
            )
        }
        index += 1
        return sign
    }

    private func unclosed(_ mark: String) -> ExpressionError {
        ExpressionError(column: index + 1, reason: .unexpected(.end, expected: .closing(mark)))
    }

    /// A string as JSON writes it.
    private mutating func quotedName() throws(ExpressionError) -> [UInt8] {
        let start = index
        var text = "\"".unicodeScalars
        index += 1
        while let next = peek() {
            text.append(next)
            index += 1
            if next == "\"" {
                let json = try json(String(text), origins: Array(start..<index))
                return json.string(JSON.root)
            }
            if next == "\\", let escape = peek() {
                text.append(escape)
                index += 1
            }
        }
        throw unclosed("\"")
    }

    private mutating func rawString() throws(ExpressionError) -> [UInt8] {
        var text = String.UnicodeScalarView()
        index += 1
        while let next = peek() {
            index += 1
            if next == "'" { return Array(String(text).utf8) }
            // A backslash before anything but a quote stands for itself, as what follows it.
            if next == "\\", let escaped = peek() {
                if escaped != "'" { text.append(next) }
                text.append(escaped)
                index += 1
            } else {
                text.append(next)
            }
        }
        throw unclosed("'")
    }

    private mutating func literal() throws(ExpressionError) -> JSONValue {
        var text = String.UnicodeScalarView()
        var origins: [Int] = []
        index += 1
        while let next = peek() {
            if next == "`" {
                origins.append(index)
                index += 1
                return JSONValue(try json(String(text), origins: origins))
            }
            if next == "\\", peek(1) == "`" { index += 1 }
            origins.append(index)
            text.append(scalars[index])
            if next == "\\", peek(1) == "\\" {
                // So that the second one escapes no backtick.
                index += 1
                origins.append(index)
                text.append("\\")
            }
            index += 1
        }
        throw unclosed("`")
    }

    /// `origins` has the place of each scalar in the expression, and that of the end.
    private func json(_ text: String, origins: [Int]) throws(ExpressionError) -> JSON {
        do throws(JSONError) {
            return try JSON(
                parsing: Array(text.utf8),
                limits: JSONLimits(maxDepth: JSONExpression.mostLevels)
            )
        } catch {
            let offset = error.position?.offset ?? 0
            let place = text.utf8.prefix(offset).reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
            let column = (place < origins.count ? origins[place] : index - 1) + 1
            throw ExpressionError(column: column, reason: .notJSON(error))
        }
    }
}
