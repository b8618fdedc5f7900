import Testing

@testable import Processes

@Suite struct LineSplitterTests {
    private func lines(_ parts: String..., longest: Int = 5) -> [String] {
        var splitter = LineSplitter(longest: longest)
        return parts.flatMap { splitter.lines(adding: Array($0.utf8)[...]) }
    }

    @Test func `A line may come in parts, and several at once`() {
        #expect(lines("a", "b\nc\n\nd", "\n") == ["ab", "c", "", "d"])
        #expect(lines("a\nb") == ["a"])
    }

    @Test func `Of a line that is too long only its beginning is kept, and the next is whole`() {
        #expect(lines("123", "4567", "89", "01\nab\n") == ["12345", "ab"])
        #expect(lines("1234567\n1234567\n") == ["12345", "12345"])
    }
}
