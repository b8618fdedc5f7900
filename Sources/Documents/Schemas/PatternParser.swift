/// Parses a regular expression of ECMA-262, in Unicode mode.
struct PatternParser {
    private let codes: [UInt32]
    private var index = 0
    private var depth = 0

    private static let mostGroups = 100
    private static let mostTimes = 10_000

    init(_ text: String) { codes = text.unicodeScalars.map(\.value) }

    mutating func parse() throws(PatternError) -> Pattern.Tree {
        let tree = try choice()
        guard index == codes.count else { throw fail(.nothingToClose) }
        return tree
    }

    private func fail(_ reason: PatternError.Reason) -> PatternError {
        PatternError(offset: index, reason: reason)
    }

    private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        index + ahead < codes.count ? Unicode.Scalar(codes[index + ahead]) : nil
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        index += 1
        return true
    }

    private mutating func choice() throws(PatternError) -> Pattern.Tree {
        var parts = [try sequence()]
        while skip("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(PatternError) -> Pattern.Tree {
        var parts: [Pattern.Tree] = []
        while let next = peek(), next != "|", next != ")" {
            if let edge = try edge() {
                parts.append(edge)
                if let next = peek(), "*+?{".unicodeScalars.contains(next) { throw fail(.repeatsNothing) }
            } else {
                parts.append(try repeated(try atom()))
            }
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func edge() throws(PatternError) -> Pattern.Tree? {
        if skip("^") { return .start }
        if skip("$") { return .end }
        if peek() == "\\", let next = peek(1), next == "b" || next == "B" {
            index += 2
            return .wordEdge(next == "b")
        }
        return nil
    }

    private mutating func atom() throws(PatternError) -> Pattern.Tree {
        if skip(".") { return .one(CodePoints.lineEnd.negated) }
        if skip("(") { return try group() }
        if skip("[") { return .one(try characterClass()) }
        if skip("\\") { return .one(try escape(inClass: false)) }
        guard let next = peek(), !"*+?{}]".unicodeScalars.contains(next) else {
            throw fail(.unescaped)
        }
        index += 1
        return .one(CodePoints(ranges: [next.value...next.value]))
    }

    private mutating func group() throws(PatternError) -> Pattern.Tree {
        if skip("?") {
            if skip("<") {
                guard let next = peek(), next != "=", next != "!" else {
                    throw fail(.unsupported(.lookaround))
                }
                while let next = peek(), next != ">" { index += 1 }
                guard skip(">") else { throw fail(.unclosed(.group)) }
            } else if !skip(":") {
                throw fail(.unsupported(.lookaround))
            }
        }
        depth += 1
        guard depth <= Self.mostGroups else { throw fail(.tooDeep) }
        let tree = try choice()
        guard skip(")") else { throw fail(.unclosed(.group)) }
        depth -= 1
        return tree
    }

    private mutating func repeated(_ tree: Pattern.Tree) throws(PatternError) -> Pattern.Tree {
        var least = 0
        var most: Int?
        if skip("*") {
        } else if skip("+") {
            least = 1
        } else if skip("?") {
            most = 1
        } else if skip("{") {
            least = try times()
            most = least
            if skip(",") { most = peek() == "}" ? nil : try times() }
            guard skip("}") else { throw fail(.unclosed(.repetition)) }
            if let most, most < least { throw fail(.mostBelowLeast) }
        } else {
            return tree
        }
        // A lazy quantifier has no effect on whether anything matches.
        _ = skip("?")
        if let next = peek(), "*+?{".unicodeScalars.contains(next) { throw fail(.repeatsRepetition) }
        return .repeated(tree, least: least, most: most)
    }

    private mutating func times() throws(PatternError) -> Int {
        var value: Int?
        while let next = peek(), ("0"..."9").contains(next) {
            value = (value ?? 0) * 10 + Int(next.value - 0x30)
            guard value ?? 0 <= Self.mostTimes else { throw fail(.tooOften) }
            index += 1
        }
        guard let value else { throw fail(.noCount) }
        return value
    }

    private mutating func characterClass() throws(PatternError) -> CodePoints {
        let isNegated = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !skip("]") {
            let first = try classMember()
            guard peek() == "-", peek(1) != "]", peek(1) != nil else {
                ranges += first.positive
                continue
            }
            index += 1
            let last = try classMember()
            guard let low = first.single, let high = last.single, low <= high else {
                throw fail(.emptyRange)
            }
            ranges.append(low...high)
        }
        return CodePoints(ranges: ranges, isNegated: isNegated)
    }

    private mutating func classMember() throws(PatternError) -> CodePoints {
        guard let next = peek() else { throw fail(.unclosed(.characterClass)) }
        if skip("\\") { return try escape(inClass: true) }
        index += 1
        return CodePoints(ranges: [next.value...next.value])
    }

    private mutating func escape(inClass: Bool) throws(PatternError) -> CodePoints {
        guard let next = peek() else { throw fail(.escape(.unfinished)) }
        index += 1
        func one(_ code: UInt32) -> CodePoints { CodePoints(ranges: [code...code]) }
        switch next {
        case "d": return .digit
        case "D": return CodePoints.digit.negated
        case "w": return .word
        case "W": return CodePoints.word.negated
        case "s": return .space
        case "S": return CodePoints.space.negated
        case "t": return one(0x09)
        case "n": return one(0x0A)
        case "v": return one(0x0B)
        case "f": return one(0x0C)
        case "r": return one(0x0D)
        case "b" where inClass: return one(0x08)
        case "0" where !(peek().map { ("0"..."9").contains($0) } ?? false): return one(0)
        case "x": return one(try hex(2))
        case "u": return one(try unicode())
        case "c":
            guard let letter = peek(), letter.isASCII, UInt8(letter.value).isLetter else {
                throw fail(.escape(.noControlLetter))
            }
            index += 1
            return one(letter.value & 31)
        case "1"..."9", "k": throw fail(.unsupported(.backreference))
        case "p", "P": throw fail(.unsupported(.characterProperty))
        default:
            guard "^$\\.*+?()[]{}|/".unicodeScalars.contains(next) || (inClass && next == "-") else {
                throw fail(.escape(.unknown))
            }
            return one(next.value)
        }
    }

    private mutating func hex(_ count: Int) throws(PatternError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek(), digit.isASCII, let digit = hexValue(UInt8(digit.value)) else {
                throw fail(.escape(.noDigits))
            }
            value = value << 4 | digit
            index += 1
        }
        return value
    }

    private mutating func unicode() throws(PatternError) -> UInt32 {
        if skip("{") {
            var value: UInt32 = 0
            repeat { value = min(0x11_0000, value << 4 | (try hex(1))) } while peek() != "}" && peek() != nil
            guard skip("}"), value <= 0x10FFFF else { throw fail(.escape(.noCodePoint)) }
            return value
        }
        let first = try hex(4)
        guard first & 0xFC00 == 0xD800, peek() == "\\", peek(1) == "u" else { return first }
        let before = index
        index += 2
        let second = try hex(4)
        guard second & 0xFC00 == 0xDC00 else {
            index = before
            return first
        }
        return 0x1_0000 + (first & 0x3FF) << 10 + second & 0x3FF
    }
}

extension CodePoints {
    /// Its only code point, if it has one.
    fileprivate var single: UInt32? {
        guard !isNegated, ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
