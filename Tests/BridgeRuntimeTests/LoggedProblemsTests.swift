import Model
import Replica
import SyncEngine
import Testing

@testable import BridgeRuntime

@Suite struct LoggedProblemsTests {
    private let full: Int32 = 28
    private let readOnly: Int32 = 30

    private func path(_ name: String) throws -> RelativePath { try #require(RelativePath(name)) }

    /// A write that failed. The temporary file has another name at every attempt.
    private func hold(_ name: String, _ errno: Int32, attempt: Int) throws -> PlannedChange {
        let temporary = Location(Side.group, try path("\(TemporaryName.prefix)\(attempt)"))
        let error = FileError.system(errno: errno, .write, temporary)
        let reason = PlannedChange.Reason.held(.group, .unwritable(error))
        return PlannedChange(document: name, action: .hold, from: .group, reason: reason)
    }

    @Test func `A hold is news when it begins and when its reason changes, not at every attempt`() throws {
        var problems = LoggedProblems()
        var news: [Bool] = []
        for (attempt, errno) in [full, full, full, readOnly, readOnly, full].enumerated() {
            news.append(problems.isNews(try hold("a.json", errno, attempt: attempt)))
        }
        #expect(news == [true, false, false, true, false, true])
        let isOtherNews = problems.isNews(try hold("b.json", full, attempt: 9))
        #expect(isOtherNews)
    }

    @Test func `The end of a hold is told once, and the next hold is news again`() throws {
        var problems = LoggedProblems()
        for name in ["b.json", "a.json", "c.json"] { _ = problems.isNews(try hold(name, full, attempt: 1)) }
        let kept = try path("b.json")
        let released = (0..<2).map { _ in problems.takeReleased { $0 == kept } }
        #expect(released == [[try path("a.json"), try path("c.json")], []])
        let news = try ["a.json", "b.json"].map { problems.isNews(try hold($0, full, attempt: 2)) }
        #expect(news == [true, false])
    }

    @Test func `A full trash is told once, however many files wait for it`() throws {
        func problem(_ files: Int, _ errno: Int32) throws -> TrashProblem {
            let file = Location(Side.app, try path("\(TemporaryName.prefix)\(files)"))
            return TrashProblem(files: files, error: .system(errno: errno, .rename, file))
        }
        var problems = LoggedProblems()
        let (one, two, three) = (try problem(1, full), try problem(2, full), try problem(3, readOnly))
        let news = [nil, one, two, three, nil, nil].map { problems.news(of: $0) }
        #expect(news == [nil, .begins(one), nil, .begins(three), .ends, nil])
    }

    @Test func `A name that is not UTF-8 is told once`() {
        var problems = LoggedProblems()
        let news = (0..<2).map { _ in problems.isNews(unnamable: "\\xff.json") }
        #expect(news == [true, false])
    }

    @Test func `An error names the document, not the temporary file beside it`() throws {
        let document = try path("notes/a.json")
        func error(_ name: String, _ errno: Int32) throws -> BridgeError {
            let place = Location(Side.group, try path(name))
            return BridgeError(.file(.system(errno: errno, .create, place)), of: document, on: .group)
        }
        #expect(try error("notes/\(TemporaryName.prefix)7", readOnly).place == "group:notes/a.json")
        #expect(try error("notes/\(TemporaryName.prefix)7", full) == .noRoom("group:notes/a.json"))
        #expect(try error("notes/b.json", readOnly).place == "group:notes/b.json")
        #expect(try error("\(TemporaryName.prefix)7", readOnly).place != "group:notes/a.json")
    }
}
