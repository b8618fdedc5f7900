import Stores
import TestWorld

/// Values for tests of property lists.
enum PropertyListSamples {
    /// Every type and its extremes, by name.
    static let all: [String: StoreValue] = numbers.merging(texts) { $1 }.merging(containers) { $1 }

    private static let numbers: [String: StoreValue] = [
        "true": .bool(true), "false": .bool(false),
        "zero": .integer(0), "one": .integer(1), "minus one": .integer(-1),
        "255": .integer(255), "256": .integer(256), "65535": .integer(65_535), "65536": .integer(65_536),
        "32 bits": .integer(0xFFFF_FFFF), "33 bits": .integer(0x1_0000_0000), "-128": .integer(-128),
        "smallest": .integer(.min), "largest": .integer(.max),
        "unsigned": .unsigned(UInt64(Int64.max) + 1), "largest unsigned": .unsigned(.max),
        "0.0": .real(0), "-0.0": .real(-0.0), "1.0": .real(1), "0.1": .real(0.1), "450.5": .real(450.5),
        "NaN": .real(.nan), "inf": .real(.infinity), "-inf": .real(-.infinity),
        "subnormal": .real(.leastNonzeroMagnitude), "largest real": .real(.greatestFiniteMagnitude),
        "third": .real(1 / 3.0), "million": .real(1e22), "small": .real(-1.5e-9),
        "2001": .date(0), "1970": .date(-978_307_200), "0001": .date(-63_113_904_000),
        "9999": .date(252_423_993_599), "leap day": .date(730_857_600),
    ]

    private static let texts: [String: StoreValue] = [
        "empty": .string(""), "ASCII": .string("a < b && c > \"d\" 'e'"), "lines": .string("a\n\tb\r\nc\r"),
        "14": .string("abcdefghijklmn"), "15": .string("abcdefghijklmno"),
        "16": .string("abcdefghijklmnop"), "300": .string(String(repeating: "x", count: 300)),
        "Latin": .string("é"), "decomposed": .string("e\u{301}"), "non-BMP": .string("🎉𝄞"),
        "15 units": .string("🎉🎉🎉🎉🎉🎉🎉x"), "spaces": .string("  a  "), "CDATA": .string("]]>"),
        "JSON": .string(#"{"spent":450.5,"currency":"€","when":"2026-01-18T14:30:00.000Z"}"#),
        "data 0": .data([]), "data 1": .data([0]), "data 14": data(14), "data 15": data(15),
        "data 16": data(16), "data 300": data(300),
    ]

    private static let containers: [String: StoreValue] = [
        "no elements": .array([]), "no keys": .dictionary([:]),
        "14 elements": .array((0..<14).map { .integer($0) }),
        "15 elements": .array((0..<15).map { .integer($0) }),
        "300 elements": .array((0..<300).map { .string("element \($0)") }),
        "equal": .array([.integer(1), .real(1), .bool(true), .integer(1), .string("1"), .data([0x31])]),
        "300 keys": .dictionary(
            Dictionary(uniqueKeysWithValues: (0..<300).map { (ExactText("\($0)"), .integer($0)) })
        ),
        "nested": .dictionary(["a": .array([.dictionary(["": .array([.array([])])])]), "é": .data([1])]),
        "": .string("under an empty key"), "ключ": .string("under a key beyond ASCII"),
        "a.b/c[0]": .string("under a key like a path"), "<&>": .string("under a key that XML escapes"),
    ]

    private static func data(_ count: Int) -> StoreValue {
        .data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    }

    /// What XML cannot hold.
    static let binaryOnly: [String: StoreValue] = [
        "fraction of a second": .date(0.5), "before our era": .date(-1e11), "NUL": .string("a\0b"),
        "bell": .string("\u{7}"), "not a character": .string("\u{FFFF}"), "UID": .uid(7),
        "UID of 4 bytes": .uid(0xFFFF_FFFF), "date -0": .date(-0.0), "-0 date in list": .array([.date(0.25)]),
    ]

    /// The same for the same seed.
    static func random(_ seed: UInt64) -> [String: StoreValue] {
        var random = RandomValues(generator: SplitMix(seed))
        return random.dictionary(depth: 0)
    }
}

/// Values as XML, too, can hold them.
private struct RandomValues {
    var generator: SplitMix

    mutating func dictionary(depth: Int) -> [String: StoreValue] {
        let count = number(depth == 0 ? 40 : 18)
        let pairs = (0..<count).map { _ in (text(), value(depth: depth + 1)) }
        return Dictionary(pairs) { $1 }
    }

    private mutating func value(depth: Int) -> StoreValue {
        switch number(depth < 4 ? 10 : 8) {
        case 0: return .bool(generator.oneIn(2))
        case 1: return .integer(Int64(truncatingIfNeeded: generator.next() >> UInt64(number(64))))
        case 2: return .integer(-Int64(truncatingIfNeeded: generator.next() >> UInt64(number(63) + 1)))
        case 3: return .unsigned(generator.next() | 1 << 63)
        case 4:
            let real = Double(bitPattern: generator.next())
            return .real(real.isNaN ? .nan : real)
        case 5: return .date(Double(number(1 << 30)))
        case 6: return .data((0..<number(40)).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        case 7: return .string(text())
        case 8: return .array((0..<number(20)).map { _ in value(depth: depth + 1) })
        default: return .dictionary(dictionary(depth: depth).exact)
        }
    }

    private mutating func text() -> String {
        let characters = Array("abcdefghij .&<>\"'éßЖ中🎉𝄞\n\t")
        return String((0..<number(24)).map { _ in characters[number(characters.count)] })
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}
