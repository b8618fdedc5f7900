import FileSystem
import Foundation
import Glibc
import Model
import Replica
import Stores
import Testing

@testable import StoreReplica

/// What the bridge knows of a store counts only while the file is the same. On a real disk, whose kernel
/// gives the signatures.
@Suite final class KnownStoreTests {
    private let directory: String
    private let files: LinuxFileSystem
    private var replica: StoreReplica

    private var file: String { "\(directory)/app/\(StoreGround.file)" }

    init() throws {
        directory =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "widgetbridge-\(UUID().uuidString)").path
        for name in ["app/Library", "group", "state"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)",
                withIntermediateDirectories: true
            )
        }
        files = try LinuxFileSystem(
            app: "\(directory)/app",
            group: "\(directory)/group",
            state: "\(directory)/state"
        )
        let layouts = BothSides(app: StoreGround.layout, group: StoreLayout())
        replica = StoreReplica(.app, of: files, at: "\(directory)/app", layouts)
        replica.begin(ReplicaSettings(maxBytes: 1000))
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    // MARK: Programs

    /// How a program saves, which all leave the size and the time of the last change as they were.
    enum Save: CaseIterable {
        case replacing, inPlace
    }

    /// The file has one value of another key, and that of the document.
    private func save(_ other: Int, _ text: Int, _ way: Save) throws {
        let bytes = Data("y \(30 + other)\na.json \(30 + text)\n".utf8)
        var before = stat()
        let existed = unsafe stat(file, &before) == 0
        switch way {
        case .replacing:
            try bytes.write(to: URL(filePath: "\(file).new"))
            let isRenamed = unsafe rename("\(file).new", file) == 0
            #expect(isRenamed)
        case .inPlace:
            let handle = try #require(FileHandle(forUpdatingAtPath: file))
            try handle.write(contentsOf: bytes)
            try handle.close()
            try waitUntilClosed()
        }
        guard existed else { return }
        let times = [before.st_atim, before.st_mtim]
        let isSet = unsafe utimensat(AT_FDCWD, file, times, 0) == 0
        #expect(isSet)
    }

    /// Another test that starts a process forks, and until that runs its program, it has all files of this
    /// process open. Nothing reports when it no longer has, and a lease is granted only then.
    private func waitUntilClosed() throws {
        let place = Location(Side.app, StoreGround.file)
        let patience = ContinuousClock.now + .seconds(10)
        while files.signature(ofFileBeingWritten: place) != nil {
            try #require(ContinuousClock.now < patience)
            sched_yield()
        }
    }

    // MARK: The bridge

    private func read(mayWait: Bool = true) throws -> String? {
        let reading = try replica.read(
            path("a.json"),
            unless: nil,
            mayWait: mayWait,
            isKnown: true,
            pair: nil
        )
        guard case .content(let content) = reading else { return nil }
        return String(decoding: content.bytes, as: UTF8.self)
    }

    private func write(_ text: String, over old: String, number: UInt64 = 1) throws -> Bool {
        let write = DocumentWrite(
            path("a.json"),
            bytes: .text(text),
            digest: digest(text),
            over: digest(old),
            like: nil,
            number: number,
            isSynced: false,
            mark: nil
        )
        #expect(replica.obstacle(to: .text(text), as: path("a.json")) == nil)
        let staged = try replica.prepare(write)
        let publication = try replica.commit(staged, over: digest(old), waits: true)
        guard let displaced = publication.displaced else { return false }
        let found = try replica.examine(displaced, trustUnknown: true) { $0 == digest(old) }
        #expect(found == .expected(digest(old)))
        try replica.remove(displaced)
        _ = try replica.status(of: place("a.json"))
        return true
    }

    private func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    @Test(arguments: Save.allCases, [false, true])
    func `A store that a program saves with its old size and time is read again`(
        way: Save,
        isPublished: Bool
    ) throws {
        try save(1, 1, .replacing)
        #expect(try read() == "1")
        if isPublished { #expect(try write("2", over: "1")) }
        try save(2, 3, way)
        #expect(try read() == "3")
        #expect(try read(mayWait: false) == "3")
    }

    @Test(arguments: Save.allCases, [false, true])
    func `A change is made to what a program saved with the old size and time`(
        way: Save,
        isPublished: Bool
    ) throws {
        try save(1, 1, .replacing)
        #expect(try read() == "1")
        if isPublished {
            #expect(try write("2", over: "1"))
            #expect(try write("1", over: "2", number: 2))
        }
        try save(2, 1, way)
        #expect(try write("4", over: "1", number: 3))
        #expect(try text().split(separator: "\n").sorted() == ["a.json 34", "y 32"])
    }

    @Test func `A known document is not written over what a program saved meanwhile`() throws {
        try save(1, 1, .replacing)
        #expect(try read() == "1")
        try save(1, 2, .inPlace)
        #expect(try !write("3", over: "1"))
        #expect(try text() == "y 31\na.json 32\n")
    }

    @Test func `A known store that a program has open for writing is not taken for settled`() throws {
        try save(1, 1, .replacing)
        #expect(try read() == "1")
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        #expect(throws: ReadObstacle.beingWritten) { try read() }
        #expect(try read(mayWait: false) == "1")
        try handle.close()
        #expect(try read() == "1")
    }

    @Test func `A known store that is deleted is missing, and not read from memory`() throws {
        try save(1, 1, .replacing)
        #expect(try read() == "1")
        try FileManager.default.removeItem(atPath: file)
        let error = #expect(throws: ReadObstacle.self) { try read() }
        let problem: StoreProblem? = if case .store(let problem)? = error { problem } else { nil }
        #expect(problem?.reason == .missing)
    }
}
