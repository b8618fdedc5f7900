import Documents
import Testing

@Suite struct PatternErrorTests {
    static let faults: [(PatternError.Reason, String)] = [
        (.tooLarge, "is too large"), (.unsupported(.lookaround), "uses look-around, which is not supported"),
        (.unsupported(.backreference), "uses a back-reference, which is not supported"),
        (.unsupported(.characterProperty), "uses a Unicode property, which is not supported"),
        (.unclosed(.group), "has a group that is not closed"),
        (.unclosed(.repetition), "has a `{` that is not closed"),
        (.unclosed(.characterClass), "has a `[` that is not closed"),
        (.nothingToClose, "has a `)` without a `(`"), (.tooDeep, "nests groups too deeply"),
        (.unescaped, "has a character that must be escaped"),
        (.escape(.unfinished), "ends with a `\\`"), (.escape(.unknown), "has an unknown escape"),
        (.escape(.noControlLetter), "has a `\\c` without a letter"),
        (.escape(.noDigits), "has an escape with missing digits"),
        (.escape(.noCodePoint), "has an escape that is not a code point"),
        (.emptyRange, "has an empty range"), (.repeatsNothing, "has a quantifier without anything to repeat"),
        (.repeatsRepetition, "has a quantifier after a quantifier"),
        (.tooOften, "expands to too many repetitions"),
        (.mostBelowLeast, "has a repetition with a maximum below its minimum"),
        (.noCount, "has a `{` without a number"),
    ]

    @Test(arguments: faults)
    func `Each error of a pattern has its text`(reason: PatternError.Reason, words: String) {
        #expect(reason.text == words)
    }
}
