import Testing

@testable import Commands

@Suite struct CompletionsTests {
    @Test(arguments: [
        "$(touch x).json", "`id`.json", "a b.json", "a'b.json", #"a"b.json"#, #"a\b.json"#, "a;b", "a&b",
        "a|b",
        "a<b", "a*b", "~a", "a{b}", "a!b", "#a", "a\nb", "a\u{202E}b",
    ])
    func `Words that a shell would expand are not offered`(_ name: String) {
        #expect([name].offered(behind: "").isEmpty)
    }

    @Test(arguments: [
        "budget.json", "notes/a-b_1.json", "größe.json", "家計.json", "127.0.0.1:8080", "a@b=c,d+e%",
    ])
    func `Words that a shell takes literally are offered`(_ name: String) {
        #expect([name, "other"].offered(behind: String(name.prefix(1))).contains(name))
    }
}
