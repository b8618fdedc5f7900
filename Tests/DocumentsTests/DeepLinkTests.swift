import Documents
import Testing

@Suite struct DeepLinkTests {
    private func admits(_ link: String) throws -> Bool {
        let yaml =
            "profile: p\ndeepLinks: ['app://bill/{id}', 'app://today', 'app://add?type={t}']\ndocuments: {}"
        return try Profile(yaml: yaml, file: "p.yaml").admits(link: link)
    }

    @Test(arguments: [
        "app://bill/7", "app://bill/caf%C3%A9", "app://bill/...", "app://bill/7?a=../..#x", "app://today",
        "app://add", "app://add?type=x", "app://add#y", "App://today", "APP://bill/A",
    ])
    func `A link is one of the profile's patterns`(_ link: String) throws {
        #expect(try admits(link))
    }

    @Test(arguments: [
        "app://bill/", "app://bill/7/8", "app://bill/..", "app://bill/%2e%2E", "app://bill/.%2e",
        "app://bill/%2e",
        "app://bill/a%2Fb", "app://bill/a%5cb", "app://bill/%00", "app://bill/%", "app://bill/%zz",
        "app://bill/%C3", "app://%74oday", "app://Today", "app:today", "\u{FEFF}app://today",
        "javascript:x",
    ])
    func `A component is checked as the app reads it`(_ link: String) throws {
        #expect(try !admits(link))
    }

    @Test(arguments: [
        "x://a{b}c", "x://{a", "x://a}", "nocolon", "", "1x://a", ":a", "x://{a}{b}", "x://{}",
        "x://a b", "x://a\u{A0}b", "x://a%2", "x://<a>", "x:{a}",
    ])
    func `A pattern that no link fits is refused`(_ pattern: String) throws {
        #expect {
            try Profile(yaml: "profile: p\ndeepLinks: [\"\(pattern)\"]\ndocuments: {}", file: "p.yaml")
        } throws: { error in
            let text = (error as? ProfileError)?.reason.text ?? ""
            return text.contains("expected a link such as `app://trip/{id}`")
        }
    }

    @Test(arguments: [
        ("x://a", "x://a"), ("x://{a}", "x://{b}"), ("x://a", "X://a"), ("x://a?b={c}", "x://a?b={c}"),
    ])
    func `A pattern that is listed twice is refused`(_ one: String, _ other: String) {
        #expect {
            try Profile(
                yaml: "profile: p\ndeepLinks: ['\(one)', '\(other)']\ndocuments: {}",
                file: "p.yaml"
            )
        } throws: { error in
            let text = (error as? ProfileError)?.reason.text
            return text == "`\(other)` is listed twice: remove one of the two"
        }
    }

    @Test func `Patterns may differ in their queries alone`() throws {
        let yaml = "profile: p\ndeepLinks: ['x://a?b={c}', 'x://a?d={c}', 'x://a']\ndocuments: {}"
        #expect(try Profile(yaml: yaml, file: "p.yaml").deepLinks.count == 3)
    }
}
