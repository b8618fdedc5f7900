import Foundation
import Stores
import TestWorld
import Testing

@Suite("Java", .enabled(if: OtherProgram.hasJava, "Java is not installed"))
struct JavaTests {
    /// Short decimals, powers of ten and of two, the ends of the range, and any bits.
    private static var doubles: [Double] {
        var random = SplitMix(15)
        var numbers: [Double] = [
            0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNormalMagnitude,
        ]
        for exponent in -24...24 { numbers += [1, 9.5, -1.234567].map { $0 * pow(10, Double(exponent)) } }
        for count in 1...120 { numbers.append(Double(count) * .leastNonzeroMagnitude) }
        for _ in 0..<1_000 {
            let number = Double(bitPattern: random.next())
            if !number.isNaN { numbers.append(number) }
            numbers.append(Double(random.next() % 10_000_000) / 100)
        }
        return numbers
    }

    @Test("reads our numbers as they were, and since version 19 writes them as we do")
    func numbers() async throws {
        let numbers = Self.doubles
        let input = numbers.map { number in
            let float = Float(number)
            return "\(Int64(bitPattern: number.bitPattern))\t\(JavaDouble.text(number))\t"
                + "\(Int32(bitPattern: float.bitPattern))\t\(JavaDouble.text(float))"
        }
        let output = try await OtherProgram.java.run("numbers", input.joined(separator: "\n"))
        let lines = output.split(separator: "\n")
        #expect(lines.count == numbers.count + 1)
        let isShortest = (Int(lines.first ?? "") ?? 0) >= 19
        for (number, line) in zip(numbers, lines.dropFirst()) {
            let fields = line.split(separator: "\t").map(String.init)
            let float = Float(number)
            #expect(fields[0] == "\(Int64(bitPattern: number.bitPattern))")
            #expect(fields[2] == "\(Int32(bitPattern: float.bitPattern))")
            #expect(JavaDouble.double(fields[1])?.bitPattern == number.bitPattern, "\(fields[1])")
            #expect(JavaDouble.float(fields[3])?.bitPattern == float.bitPattern, "\(fields[3])")
            guard isShortest else { continue }
            #expect(JavaDouble.text(number) == fields[1])
            #expect(JavaDouble.text(float) == fields[3])
        }
    }

    @Test("writes lists as Flutter's older plugins kept them")
    func lists() async throws {
        let long = String(repeating: "é", count: 40_000)
        let lists = [["a"], ["a", "b", "a"], ["\0", "\u{1F600}", "ü"], [long, "x", long]]
        let input = lists.map { $0.map(field).joined(separator: "\t") }.joined(separator: "\n")
        let output = try await OtherProgram.java.run("lists", input).split(separator: "\n")
        #expect(output.count == lists.count)
        for (list, base64) in zip(lists, output) {
            let text = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBhIGxpc3Qu\(base64)"
            let value = try KeyEncoding.flutter().decoded("k", in: .sharedPreferences) { _ in .string(text) }
            #expect(value == .array(list.map { .string($0) }))
        }
    }
}
