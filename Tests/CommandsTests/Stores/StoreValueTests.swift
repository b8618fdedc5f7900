import Foundation
import TestWorld
import Testing

@testable import Commands

/// Values that a store cannot have as they are given, and how those are shown that it has.
@Suite(.timeLimit(.minutes(5))) struct StoreValueTests {
    @Test func `Dates and data in a dictionary are not replaced by texts, unless a type is given`()
        async throws
    {
        try await StoreWorld.with { world in
            try await world.python(
                "plistlib.dump({'d': {'t': datetime.datetime(2026, 1, 1), 'x': b'1'}}, open('a', 'wb'))"
            )
            let got = await world.run("get", "a", "d").output
            let refused = await world.run("put", "a", "d", got)
            #expect(refused.status == .failed && refused.errors.contains("has dates, data or numbers"))
            #expect(await world.run("put", "a", "d", got, "--type", "dictionary").status == .done)
            let read = try await world.python("print(plistlib.load(open('a', 'rb'))['d']['x'])")
            #expect(read == "MQ==\n")
        }
    }

    @Test func `A number that is too large is refused, and infinity is one`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'r': 1.5}, open('a', 'wb'))")
            #expect(await world.run("put", "a", "r", "1e400").errors.contains("is not a real"))
            #expect(await world.run("put", "a", "r", "inf").status == .done)
        }
    }

    @Test func `A value that is written but cannot be reported is said to be written`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'r': 1.5}, open('a', 'wb'))")
            let wrapper = ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"]
            let ended = await (try Running(["store", "put", world.path("a"), "r", "2.5"], through: wrapper))
                .ended()
            #expect(ended.status == 1 && ended.errors.contains("the value was written"), "\(ended)")
            #expect(await world.run("get", "a", "r").output == "2.5\n")
        }
    }

    @Test func `An empty key is shown`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'': 'v'}, open('a', 'wb'))")
            #expect(await world.run("list", "a").output.contains("\n\"\"   string  v\n"))
        }
    }
}
