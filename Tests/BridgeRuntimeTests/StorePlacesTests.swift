import Model
import Testing

@testable import BridgeRuntime

@Suite struct StorePlacesTests {
    @Test func `Names and keys that only look alike are others`() throws {
        let names = ["cafe\u{301}", "caf\u{E9}"]
        let lines = names.map { "app\t\($0).json\ta.plist\t\($0)" }
        let places = StorePlaces(text: lines.joined(separator: "\n"))
        let written = places.text.split(separator: "\n").map { Array($0.utf8) }
        #expect(Set(written) == Set(lines.map { Array($0.utf8) }))
        let document = try #require(RelativePath("\(names[0]).json"))
        let other = StorePlaces(text: "app\t\(names[0]).json\ta.plist\t\(names[1])")
        #expect(places.isSame(document, as: StorePlaces(text: lines[0])))
        #expect(!places.isSame(document, as: other) && places != other)
        #expect(!places.isSame(document, as: StorePlaces(text: lines[1])))
    }
}
