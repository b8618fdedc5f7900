import Documents
import Testing

@Suite struct DeepLinkTests {
    private func admits(_ link: String) throws -> Bool {
        let yaml = "profile: p\ndeepLinks: ['app://bill/{id}', 'app://today']\ndocuments: {}"
        return try Profile(yaml: yaml, file: "p.yaml").admits(link: link)
    }

    @Test(arguments: [
        "app://bill/7", "app://bill/caf%C3%A9", "app://bill/...", "app://bill/7?a=../..#x", "app://today",
    ])
    func `A link is one of the profile's patterns`(_ link: String) throws {
        #expect(try admits(link))
    }

    @Test(arguments: [
        "app://bill/", "app://bill/7/8", "app://bill/..", "app://bill/%2e%2E", "app://bill/.%2e",
        "app://bill/%2e",
        "app://bill/a%2Fb", "app://bill/a%5cb", "app://bill/%00", "app://bill/%", "app://bill/%zz",
        "app://bill/%C3", "app://%74oday", "App://today",
    ])
    func `A component is checked as the app reads it`(_ link: String) throws {
        #expect(try !admits(link))
    }
}
