import BridgeRuntime
import Testing

@Suite struct DurationWordsTests {
    @Test(arguments: [
        ("5s", 5000), ("5 s", 5000), ("100ms", 100), ("2m", 120_000), ("1h", 3_600_000), ("1.5s", 1500),
        ("0s", 0),
        ("0.5ms", 1),
    ])
    func `A duration is parsed in the usual notations`(_ text: String, _ milliseconds: Int) {
        #expect(Duration(words: text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "5", "s", "-5s", "5  s", "5sec", "1e3s", "٥s", "1.2.3s", "99999999h", ".s", "nans"])
    func `An invalid duration is refused`(_ text: String) {
        #expect(Duration(words: text) == nil)
    }

    @Test(arguments: ["5s", "100ms", "2m", "1h", "90s", "0s", "1500ms"])
    func `A duration is printed as it is parsed`(_ text: String) {
        #expect(Duration(words: text)?.words == text)
    }
}
