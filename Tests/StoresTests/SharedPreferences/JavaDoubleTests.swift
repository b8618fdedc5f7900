import Stores
import Testing

@Suite("Java's numbers")
struct JavaDoubleTests {
    @Test(
        "have Java's text",
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (800, "800.0"), (450.5, "450.5"), (1e7, "1.0E7"),
            (9_999_999, "9999999.0"),
            (12_345_678.9, "1.23456789E7"), (0.001, "0.001"), (0.0001, "1.0E-4"), (0.00012345, "1.2345E-4"),
            (0.1 + 0.2, "0.30000000000000004"), (.nan, "NaN"), (-.infinity, "-Infinity"), (1e21, "1.0E21"),
            (.greatestFiniteMagnitude, "1.7976931348623157E308"),
            (.leastNormalMagnitude, "2.2250738585072014E-308"),
            (.leastNonzeroMagnitude, "4.9E-324"), (2 * .leastNonzeroMagnitude, "9.9E-324"),
            (20 * .leastNonzeroMagnitude, "9.9E-323"), (2e23, "2.0E23"),
            (-1_768_746_600_000, "-1.7687466E12"),
        ] as [(Double, String)]
    )
    func text(number: Double, text: String) {
        #expect(JavaDouble.text(number) == text)
        #expect(JavaDouble.double(text)?.bitPattern == number.bitPattern)
    }

    @Test(
        "have Java's text as floats",
        arguments: [
            (0, "0.0"), (3.1415925, "3.1415925"), (1e7, "1.0E7"), (.leastNonzeroMagnitude, "1.4E-45"),
            (2 * .leastNonzeroMagnitude, "2.8E-45"), (.greatestFiniteMagnitude, "3.4028235E38"), (0.1, "0.1"),
            (.infinity, "Infinity"), (-0.001, "-0.001"), (16_777_216, "1.6777216E7"),
        ] as [(Float, String)]
    )
    func text(number: Float, text: String) {
        #expect(JavaDouble.text(number) == text)
        #expect(JavaDouble.float(text)?.bitPattern == number.bitPattern)
    }

    @Test(
        "are read as Java reads them",
        arguments: [
            (" 1.5\n", 1.5), ("+2", 2), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1.0E-4f", 0.0001), ("2d", 2),
            ("1e999", .infinity), ("-1e-999", -0.0), ("2.00000000000000000000000000001", 2),
            ("", nil), (".", nil), ("1,5", nil), ("nan", nil), ("inf", nil), ("0x1p3", nil), ("1e", nil),
            ("1ff", nil),
            ("--1", nil), ("1 2", nil), ("\u{660}", nil),
        ] as [(String, Double?)]
    )
    func parse(text: String, number: Double?) {
        #expect(JavaDouble.double(text) == number)
    }
}
