import Glibc
import Synchronization
import Testing

/// The measured orders of events, for a document that the bridge publishes by exchange.
@Suite struct EvidenceTests {
    let container = try? Container()

    private func evidence(
        _ helper: Helper,
        of document: String = "doc.json",
        when act: () throws -> Void
    ) throws -> [String] {
        try act()
        let ending = " 0 \(document)"
        let said = try helper.everythingSaid().filter { $0.hasSuffix(ending) && !$0.hasPrefix("look ") }
        let words = said.map { String($0.dropLast(ending.count)) }
        // A program that another test starts at that moment has a copy of every descriptor until it
        // executes: a temporary file is then closed only after its rename.
        return zip(words, [""] + words).filter { $0 != "close" || !["publish", "save"].contains($1) }.map(\.0)
    }

    private func watched() throws -> (Container, Helper) {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/doc.json", "old")
        return (container, try Helper(root, flags: ["--evidence"]))
    }

    private func publish(_ container: Container) throws {
        try container.write("root/.widgetbridge-7", "new")
        try container.exchange("root/.widgetbridge-7", "root/doc.json")
        container.remove("root/.widgetbridge-7")
    }

    private func save(_ container: Container) throws {
        try container.write("root/doc.tmp", "saved")
        try container.rename("root/doc.tmp", "root/doc.json")
    }

    private func read(_ container: Container) throws {
        let descriptor = unsafe open(container.absolute("root/doc.json"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        try #require(unsafe Glibc.read(descriptor, &byte, 1) == 1)
    }

    @Test func `a save without reading follows directly after the publication`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try publish(container)
            try save(container)
        }
        #expect(said == ["publish", "save"])
    }

    @Test func `a reader of the published bytes is reported between the publication and the save`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try publish(container)
            try read(container)
            try save(container)
        }
        #expect(said == ["publish", "open", "read", "save"])
    }

    @Test func `a reader is reported without a request and without a change`() throws {
        let (container, helper) = try watched()
        try read(container)
        #expect(try helper.lines(through: "read 0 doc.json") == ["open 0 doc.json", "read 0 doc.json"])
    }

    @Test func `a memory-mapped reader is reported when it closes the file`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try publish(container)
            let descriptor = unsafe open(container.absolute("root/doc.json"), O_RDONLY | O_CLOEXEC)
            let memory = unsafe mmap(nil, 3, PROT_READ, MAP_SHARED, descriptor, 0)
            close(descriptor)
            unsafe munmap(memory, 3)
            try save(container)
        }
        #expect(said == ["publish", "open", "read", "save"])
    }

    @Test func `a writer in place that read nothing causes no read event`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try publish(container)
            try container.write("root/doc.json", "in place")
        }
        #expect(
            said == ["publish", "write", "open", "write", "close"]
                || said == ["publish", "open", "write", "close"]
        )
    }

    @Test func `a reader before the publication is reported before it`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try read(container)
            try publish(container)
            try save(container)
        }
        #expect(said == ["open", "read", "publish", "save"])
    }

    @Test func `a program that keeps a backup does not look like a publication`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try publish(container)
            try container.rename("root/doc.json", "root/doc.bak")
            try save(container)
        }
        #expect(said == ["publish", "gone", "save"])
    }

    @Test func `a document moved out of the watched trees is gone before the next save`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper) {
            try publish(container)
            try container.rename("root/doc.json", "outside.json")
            try container.rename("outside.json", "root/doc.json")
        }
        #expect(said == ["publish", "gone", "save"])
    }

    @Test func `a file that the bridge creates or renames is not a publication`() throws {
        let (container, helper) = try watched()
        let said = try evidence(helper, of: "new.json") {
            try container.write("root/.widgetbridge-8", "new")
            try container.rename("root/.widgetbridge-8", "root/new.json")
            try container.write("root/.widgetbridge-9", "newer")
            try container.rename("root/.widgetbridge-9", "root/new.json")
            container.remove("root/new.json")
        }
        #expect(said == ["save", "save", "gone"] || said == ["save", "gone"])
    }

    @Test func `a descriptor that stays open is an open without a close`() throws {
        let (container, helper) = try watched()
        var descriptor: Int32 = -1
        let said = try evidence(helper) {
            try publish(container)
            descriptor = unsafe open(container.absolute("root/doc.json"), O_RDONLY | O_CLOEXEC)
            try save(container)
        }
        close(descriptor)
        #expect(said == ["publish", "open", "save"])
    }

    @Test func `a hundred publications of many documents are all reported`() throws {
        let (container, helper) = try watched()
        for number in 0..<100 {
            try container.write("root/d\(number).json")
            try container.write("root/.widgetbridge-\(number)")
        }
        _ = try helper.everythingSaid()
        for number in 0..<100 {
            try container.exchange("root/.widgetbridge-\(number)", "root/d\(number).json")
        }
        let said = try helper.everythingSaid().filter { !$0.hasPrefix("look ") }
        #expect(said == (0..<100).map { "publish 0 d\($0).json" })
    }

    /// The kernel reports an exchange as two renames, and a program may open the document in between.
    @Test func `endless readers do not make a publication look like a save`() throws {
        let (container, helper) = try watched()
        let path = container.absolute("root/doc.json")
        // A few for each publication: more would overflow the queue.
        let reads = Atomic(0)
        try withThread {
            while true {
                switch reads.load(ordering: .relaxed) {
                case 0: sched_yield()
                case ..<0: return
                default:
                    reads.subtract(1, ordering: .relaxed)
                    close(unsafe open(path, O_RDONLY | O_CLOEXEC))
                }
            }
        } while: {
            defer { reads.store(-1, ordering: .relaxed) }
            try container.write("root/.widgetbridge-7", "new")
            for _ in 0..<100 {
                for _ in 0..<50 {
                    reads.store(4, ordering: .relaxed)
                    try container.exchange("root/.widgetbridge-7", "root/doc.json")
                }
                let said = try helper.everythingSaid().filter { $0.hasSuffix(" 0 doc.json") }
                #expect(said.filter { $0.hasPrefix("publish ") }.count == 50)
                #expect(said.filter { $0.hasPrefix("save ") || $0.hasPrefix("gone ") } == [])
            }
        }
    }

    /// The trash is not watched, and every replaced content is moved there.
    @Test func `a file moved out of the trees is forgotten`() throws {
        let (container, helper) = try watched()
        try container.write("root/.widgetbridge-1")
        func turn() throws -> Int {
            for _ in 0..<10_000 {
                try container.rename("root/.widgetbridge-1", "trash")
                try container.rename("trash", "root/.widgetbridge-1")
            }
            _ = try helper.everythingSaid()
            return try kilobytes("RssAnon", of: helper)
        }
        _ = try turn()
        let before = try turn()
        _ = try turn()
        let after = try turn()
        // The address sanitizer keeps freed memory, so the figure means nothing.
        if try kilobytes("VmSize", of: helper) > 1 << 30 { return }
        #expect(after < before + 256)
        try publish(container)
        #expect(try helper.everythingSaid().contains("publish 0 doc.json"))
    }

    @Test func `without a request there are no access events, and scans cause none`() throws {
        let (container, asked) = try watched()
        let silent = try Helper(container.absolute("root"))
        try read(container)
        #expect(try silent.everythingSaid() == [])
        _ = try asked.everythingSaid()
        asked.send("rescan 0")
        #expect(try asked.everythingSaid() == [])
    }
}
