import Foundation
import Model
import Testing

@Suite struct ReportedTests {
    @Test func `A fact is sent over the socket as text`() throws {
        let known = [Reported.known(ChangeReason.deleted(in: .app))]
        #expect(try String(decoding: JSONEncoder().encode(known), as: UTF8.self) == #"["deleted in app"]"#)
        #expect(known.map(\.text) == ["deleted in app"])
    }

    @Test func `The text of an agent stays unchanged`() throws {
        let json = Data(#"["deleted in app, says another release"]"#.utf8)
        let told = try JSONDecoder().decode([Reported<ChangeReason>].self, from: json)
        #expect(told == [.reported("deleted in app, says another release")])
        #expect(told.map(\.text) == ["deleted in app, says another release"])
        #expect(try JSONEncoder().encode(told) == json)
    }
}
