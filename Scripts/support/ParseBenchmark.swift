// Times this package's parser against Foundation's on one text of 1 MB, turn and turn about.
// Compiled by `Scripts/bench` together with `Sources/Documents/Text`, into one module.
import Foundation

@main
struct ParseBenchmark {
    static func main() throws {
        let bytes = sampleText(ofAtLeast: 1 << 20)
        let data = Data(bytes)
        let clock = ContinuousClock()
        var own: [Duration] = []
        var foundation: [Duration] = []
        for _ in 0..<31 {
            own.append(try clock.measure { keep(try JSON(parsing: bytes)) })
            foundation.append(try clock.measure { keep(try JSONSerialization.jsonObject(with: data)) })
        }
        print("own \(milliseconds(median(own)))\nfoundation \(milliseconds(median(foundation)))")
    }

    /// So that no optimizer can see that the value is not needed.
    @inline(never)
    @_optimize(none)
    private static func keep(_ value: some Any) {}

    /// An array of small documents as the five apps write them: objects, texts, decimals, dates.
    private static func sampleText(ofAtLeast size: Int) -> [UInt8] {
        var text = "[\n"
        var number = 0
        while text.utf8.count < size {
            number += 1
            text += """
                {"id": "a\(number)", "title": "Spesa n. \(number) à la carte", "amount": \(number).50, "isPaid": false,
                 "date": "2026-01-18T14:30:00.000Z", "category": {"name": "Casa", "color": 4283215696}, "note": null},

                """
        }
        return Array((text + "{}]\n").utf8)
    }

    private static func median(_ times: [Duration]) -> Duration {
        times.sorted()[times.count / 2]
    }

    private static func milliseconds(_ time: Duration) -> Double {
        time / .milliseconds(1)
    }
}
