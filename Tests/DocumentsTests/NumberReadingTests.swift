import Foundation
import Testing

@testable import Documents

@Suite struct NumberReadingTests {
    private func isRounded(_ value: String, _ original: String, _ reading: NumberReading = .double) -> Bool {
        reading.isRounded(Array(value.utf8), from: Array(original.utf8))
    }

    @Test(arguments: [
        ("12345678901234567000", "12345678901234567890"), ("1.2345678901234567e+19", "12345678901234567890"),
        ("12345678901234567168", "12345678901234567890"), ("9007199254740992", "9007199254740993"),
        ("1e+21", "1000000000000000000001"), ("0.3", "0.30000000000000001"),
        ("0.10000000000000001", "0.1"),
        ("0.1000000000000000055511151231257827021181583404541015625", "0.1"),
        ("-12345678901234567000", "-12345678901234567890"), ("0", "1e-400"),
        ("1.7976931348623157e+308", "179769313486231570000000000000000000001e270"),
    ])
    func `a program that reads doubles writes the nearest one`(value: String, original: String) {
        #expect(isRounded(value, original))
    }

    @Test(arguments: [
        ("12345678901234567891", "12345678901234567890"), ("12345678901234569000", "12345678901234567890"),
        ("9007199254740994", "9007199254740993"), ("20000000", "20000001"), ("0.1", "0.2"),
        ("12345678901234567890", "12345678901234567890.0"), ("1e400", "2e400"),
    ])
    func `any other number is an edit`(value: String, original: String) {
        #expect(!isRounded(value, original))
    }

    @Test(arguments: [
        ("20000000", "20000001"), ("0.10000000149011612", "0.1"), ("16777216", "16777217"),
        ("3.1415927410125732", "3.14159265358979"), ("3.1415927", "3.14159265358979"),
    ])
    func `a program that reads 32-bit numbers writes the nearest of those`(value: String, original: String) {
        #expect(isRounded(value, original, .float))
        #expect(!isRounded(value, original))
    }

    @Test func `the notations of a random number are those of the C library`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let double = Double(bitPattern: random.next())
            guard double.isFinite, double != 0 else { continue }
            let exact = ExactDecimal(exactly: double)
            #expect(exact == ExactDecimal(Array(String(format: "%.1080e", double).utf8)), "\(double)")
            let seventeen = ExactDecimal(Array(String(format: "%.17g", double).utf8))
            #expect(exact.rounded(toDigits: 17) == seventeen, "\(double)")
        }
    }
}
