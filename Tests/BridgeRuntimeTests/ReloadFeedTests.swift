import Model
import SyncEngine
import Testing

@testable import BridgeRuntime

@Suite struct ReloadFeedTests {
    private func notices(_ numbers: Int64...) throws -> [Notice] {
        let path = try #require(RelativePath("a.json"))
        return numbers.map {
            Notice(sequence: $0, kind: "A", document: path, generation: $0, hash: nil, cause: .app, at: 0)
        }
    }

    private func next(_ feed: ReloadFeed, after cursor: Int64) -> [Int64]? {
        if case .notices(let notices) = feed.next(after: cursor) { notices.map(\.sequence) } else { nil }
    }

    @Test func `a sequence number that was never assigned delays no reader`() throws {
        let feed = ReloadFeed(last: 0, instance: "one")
        feed.publish(try notices(1), of: "one")
        feed.publish(try notices(4, 5), of: "one")
        #expect(next(feed, after: 0) == [1, 4, 5])
        for cursor in Int64(1)...3 { #expect(next(feed, after: cursor) == [4, 5]) }
        #expect(next(feed, after: 4) == [5])
        #expect(next(feed, after: 5) == nil)
    }

    @Test func `a cursor contains its instance and sequence number`() throws {
        let notice = try #require(notices(7).first)
        for event in [ReloadEvent.notice(notice, instance: "a:b"), .gap(instance: "a:b", sequence: 7)] {
            let position = try #require(ReloadEvent.position(at: event.cursor))
            #expect(position == ("a:b", 7))
        }
        for text in ["", "7", "one", "one:", "one:two", "one:7 "] {
            #expect(ReloadEvent.position(at: text) == nil)
        }
    }
}
