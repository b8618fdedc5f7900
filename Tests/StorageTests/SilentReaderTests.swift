import FileSystem
import Glibc
import Model
import TestWorld
import Testing

@Suite(.enabled(if: Wrapper.hasSystemAdministration, "only root may read without raising events"))
struct SilentReaderTests {
    private let ground: LinuxGround
    private let reader: SilentReader

    init() throws {
        ground = try LinuxGround()
        for (file, text) in [(app("a.json"), "[1]"), (app("b.json"), "[2]"), (group("a.json"), "")] {
            ground.save(file, Array(text.utf8))
        }
        ground.makeDirectory(app("notes"))
        ground.save(app("notes/n.json"), Array("{}".utf8))
        reader = try SilentReader(app: "\(ground.top)/app", group: "\(ground.top)/group")
    }

    /// Each of these raises events when it is done in the usual way.
    private static let acts: [@Sendable (any FileReader) throws -> Void] = [
        { _ = try $0.contents(of: app("a.json"), limit: 10) },
        { _ = try $0.contents(of: app("notes/n.json"), limit: 1) },
        { _ = try $0.contents(of: group("a.json"), limit: 10) },
        { _ = try $0.list(Directory(.app)) },
        { _ = try $0.list(Directory(.app, RelativePath("notes"))) },
    ]

    private func recorder() -> EventRecorder {
        EventRecorder(
            "\(ground.top)/app",
            "\(ground.top)/app/notes",
            "\(ground.top)/group",
            ground.path(app("a.json"))
        )
    }

    @Test(arguments: acts.indices) func `nobody hears of it`(_ act: Int) throws {
        let recorder = recorder()
        try Self.acts[act](reader)
        #expect(recorder.events() == [])
        try Self.acts[act](ground.door)
        #expect(!recorder.events().isEmpty)
    }

    @Test func `a look at the state of a file or directory is heard by nobody`() throws {
        let recorder = recorder()
        _ = try reader.status(of: app("a.json"))
        _ = try reader.status(of: Directory(.app, RelativePath("notes")))
        _ = try reader.standing(at: .app)
        #expect(recorder.events() == [])
    }

    @Test func `it begins and ends unheard`() throws {
        let recorder = recorder()
        do {
            let another = try SilentReader(app: "\(ground.top)/app", group: "\(ground.top)/group")
            _ = try another.list(Directory(.app))
        }
        #expect(recorder.events() == [])
    }

    @Test func `the access time stays`() throws {
        func accessed() -> timespec {
            var status = stat()
            unsafe stat(ground.path(app("a.json")), &status)
            return status.st_atim
        }
        // Older than the file's last change: the next read in the usual way sets it.
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 2, tv_nsec: 0)]
        unsafe utimensat(AT_FDCWD, ground.path(app("a.json")), &times, 0)
        _ = try reader.contents(of: app("a.json"), limit: 10)
        #expect(accessed().tv_sec == 1)
    }

    @Test func `it sees what the usual reader sees, at once`() throws {
        func seen(_ reader: any FileReader) throws -> [String] {
            let names = try reader.list(Directory(.app)).map { String(decoding: $0.bytes, as: UTF8.self) }
            let signature = try reader.status(of: app("a.json")).signature
            return names + ["\(signature)", "\(try reader.contents(of: app("a.json"), limit: 10))"]
        }
        for number in 0..<100 {
            ground.save(app("a.json"), Array("[\(number)]".utf8))
            ground.save(app("more-\(number)"), [])
            #expect(try seen(reader) == seen(ground.door))
        }
    }

    @Test func `a file that is missing, a link, a directory and a FIFO are told apart`() throws {
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        for name in ["none", "link", "fifo", "notes", "none/a.json", "a.json/b", "link/a.json"] {
            func failure(_ reader: any FileReader) -> FileError? {
                do throws(FileError) {
                    _ = try reader.contents(of: app(name), limit: 10)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(failure(reader) != nil && failure(reader) == failure(ground.door), "\(name)")
        }
    }

    @Test func `other programs open the documents meanwhile, undelayed and undenied`() throws {
        let path = ground.path(app("a.json"))
        for _ in 0..<1_000 {
            let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            try #require(descriptor >= 0)
            #expect(try reader.contents(of: app("a.json"), limit: 10) == Array("[1]".utf8))
        }
    }

    @Test func `several threads may read with one reader`() async throws {
        let reader = reader
        await withTaskGroup(of: Bool.self) { tasks in
            for (file, text) in [(app("a.json"), "[1]"), (app("b.json"), "[2]")] {
                tasks.addTask {
                    (0..<500).allSatisfy { _ in
                        (try? reader.contents(of: file, limit: 10)) == Array(text.utf8)
                    }
                }
            }
            for await isRight in tasks { #expect(isRight) }
        }
    }
}
