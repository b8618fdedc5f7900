import Documents
import Testing

@Suite struct PatternErrorTests {
    static let faults: [(PatternError.Reason, String)] = [
        (.tooLarge, "is too large"), (.unsupported(.lookaround), "looks around, which is not supported"),
        (.unsupported(.backreference), "refers back, which is not supported"),
        (.unsupported(.characterProperty), "asks for a property of characters, which is not supported"),
        (.unclosed(.group), "has a group that is not closed"),
        (.unclosed(.repetition), "has a `{` that is not closed"),
        (.unclosed(.characterClass), "has a `[` that is not closed"),
        (.nothingToClose, "has a `)` too many"), (.tooDeep, "has too many groups in one another"),
        (.unescaped, "has a character that must be escaped"),
        (.escape(.unfinished), "ends with a `\\`"), (.escape(.unknown), "has an escape that means nothing"),
        (.escape(.noControlLetter), "has a `\\c` without a letter"),
        (.escape(.noDigits), "has an escape without its digits"),
        (.escape(.noCodePoint), "has an escape that is no code point"),
        (.emptyRange, "has a range that goes nowhere"), (.repeatsNothing, "repeats nothing"),
        (.repeatsRepetition, "repeats a repetition"), (.tooOften, "repeats too often"),
        (.mostBelowLeast, "repeats less often than it repeats"), (.noCount, "has a `{` without a number"),
    ]

    @Test(arguments: faults)
    func `What is wrong with a pattern is said in these words`(reason: PatternError.Reason, words: String) {
        #expect(reason.text == words)
    }
}
