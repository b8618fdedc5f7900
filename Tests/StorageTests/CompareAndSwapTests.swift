import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import Replica
import StateStore
import Testing

/// A compare-and-swap, with a faster program at each point.
@Suite struct CompareAndSwapTests {
    let disk = SimulatedDisk()
    let document = app("a.json")
    let limit = 1 << 20

    init() throws { try disk.state.makeKeepingPlaces() }

    private func stage(_ text: String, number: UInt64 = 1, synced: Bool = true) throws -> Staged {
        try disk.stage(
            .text(text),
            digest: Digest(of: .text(text)),
            for: document,
            replacing: nil,
            like: disk.world.read(document) == nil ? nil : document,
            number: number,
            synced: synced
        )
    }

    private func examine(_ aside: Location, _ expected: String, trust: Bool = false) throws -> Displaced {
        try disk.examine(
            aside,
            limit: limit,
            trustUnknown: trust
        ) { $0 == Digest(of: .text(expected)) }
    }

    /// The names in the app's container.
    private var names: [String] { disk.world.files(.app).map(\.path.description) }

    // MARK: - Staging

    @Test func `a temporary file is complete, private, and has the attributes of its model`() throws {
        disk.world.save(document, .text("old"), mode: 0o640)
        disk.world.setAttribute("user.tag", of: document, to: .text("blue"))
        let staged = try stage("new")
        #expect(disk.world.read(staged.temporary) == .text("new"))
        #expect(disk.world.read(document) == .text("old"))
        #expect(staged.temporary.directory == document.directory)
        let name = try #require(TemporaryName(staged.temporary.path.name))
        #expect(name.belongs(to: document.path) && name.isKnown(staged.digest))
        let status = try disk.status(of: staged.temporary)
        #expect(status.mode == 0o640 && status.signature.inode == staged.signature.inode)
        #expect(disk.world.attribute("user.tag", of: staged.temporary) == .text("blue"))
        #expect(disk.openHandles == 0)
    }

    @Test func `a failure while preparing leaves no file`() throws {
        disk.world.save(document, .text("old"))
        for fault in [SimulatedDisk.Fault.error(EIO), .error(ENOSPC), .short(1, ENOSPC), .error(EMFILE)] {
            var failures = 0
            for place in 1...8 {
                let first = disk.calls
                disk.fail = { [disk] _, _ in disk.calls == first + place ? fault : nil }
                do {
                    let staged = try stage("new")
                    disk.fail = { _, _ in nil }
                    try disk.remove(staged.temporary)
                } catch {
                    failures += 1
                }
                #expect(names == ["a.json"] && disk.openHandles == 0, "\(fault) at \(place)")
            }
            #expect(failures >= 4, "\(fault)")
        }
        #expect(disk.world.read(document) == .text("old"))
    }

    // MARK: - Publishing

    @Test func `a document is created under a free name`() throws {
        let staged = try stage("new")
        #expect(try disk.publish(staged, replacing: false) == .created)
        #expect(names == ["a.json"])
        #expect(try disk.status(of: document).signature.inode == staged.signature.inode)
    }

    @Test(arguments: [true, false]) func `a name that was taken in the meantime is left unchanged`(
        exclusive: Bool
    )
        throws
    {
        disk.canRenameExclusively = exclusive
        let staged = try stage("new")
        disk.world.save(document, .text("racer"))
        #expect(try disk.publish(staged, replacing: false) == .raced)
        #expect(names == ["a.json"] && disk.world.read(document) == .text("racer"))
    }

    @Test func `without an exclusive rename a hard link creates the document`() throws {
        disk.canRenameExclusively = false
        let staged = try stage("new")
        #expect(try disk.publish(staged, replacing: false) == .created)
        #expect(names == ["a.json"] && disk.world.read(document) == .text("new"))
        #expect(try disk.status(of: document).links == 1)
    }

    @Test func `an exchange returns the expected content`() throws {
        disk.world.save(document, .text("old"))
        let staged = try stage("new")
        guard case .replaced(let aside) = try disk.publish(staged, replacing: true) else {
            Issue.record("nothing came out")
            return
        }
        #expect(disk.world.read(document) == .text("new"))
        #expect(try examine(aside, "old") == .expected(Digest(of: .text("old"))))
        try disk.state.discard(aside, digest: Digest(of: .text("old")), limit: limit)
        #expect(names == ["a.json"])
        #expect(disk.world.files(.state).map(\.bytes) == [.text("old")])
    }

    @Test func `an exchange returns a racing save as a whole`() throws {
        disk.world.save(document, .text("old"))
        let staged = try stage("new")
        disk.world.save(document, .text("racer"))
        guard case .replaced(let aside) = try disk.publish(staged, replacing: true) else {
            Issue.record("nothing came out")
            return
        }
        #expect(try examine(aside, "old") == .overtook(.text("racer")))
    }

    @Test func `a document that is gone is not replaced`() throws {
        disk.world.save(document, .text("old"))
        let staged = try stage("new")
        disk.world.delete(document)
        #expect(try disk.publish(staged, replacing: true) == .raced)
        #expect(names.isEmpty)
    }

    // MARK: - Examining

    @Test func `a program that has the displaced file open is waited for`() throws {
        disk.world.save(document, .text("old"))
        let pen = try #require(disk.world.open(document))
        pen.truncate()
        pen.write(.text("half"))
        let staged = try stage("new")
        guard case .replaced(let aside) = try disk.publish(staged, replacing: true) else {
            Issue.record("nothing came out")
            return
        }
        #expect(try examine(aside, "old") == .busy)
        #expect(try examine(aside, "old", trust: true) == .busy)
        pen.write(.text(" and half"))
        pen.close()
        #expect(try examine(aside, "old") == .overtook(.text("half and half")))
    }

    @Test func `where writers cannot be detected, a displaced file is busy for a fixed time`() throws {
        disk.knowsWriters = false
        disk.world.save(document, .text("old"))
        #expect(try examine(document, "old") == .busy)
        #expect(try examine(document, "old", trust: true) == .expected(Digest(of: .text("old"))))
        #expect(disk.openHandles == 0)
    }

    // MARK: - Without an exchange

    @Test func `without an exchange the expected content is checked, then replaced by a rename`() throws {
        disk.world.save(document, .text("old"))
        let staged = try stage("new")
        let over = try disk.publishOver(staged, expected: Digest(of: .text("old")), limit: limit)
        guard case .replaced(let aside) = over else {
            Issue.record("\(over)")
            return
        }
        #expect(disk.world.read(document) == .text("new"))
        #expect(try examine(aside, "old") == .expected(Digest(of: .text("old"))))
    }

    /// Numbers begin with the nanoseconds since 1970.
    @Test(arguments: [0, 1, 1_800_000_000_000_000_000, UInt64.max])
    func `a hard link is recognized, whatever its number`(_ number: UInt64) throws {
        disk.world.save(document, .text("old"))
        let staged = try stage("new", number: number)
        let over = try disk.publishOver(staged, expected: Digest(of: .text("old")), limit: limit)
        guard case .replaced(let aside) = over else {
            Issue.record("\(over)")
            return
        }
        #expect(aside.temporaryOfSecondName == staged.temporary)
        let name = try #require(TemporaryName(aside.path.name))
        #expect(name.belongs(to: document.path) && name.isContent(staged.digest))
        #expect(name.text == aside.path.name)
    }

    @Test(arguments: ["", "-1", "+1", "1-", "1.json", "é", "1 ", "A"])
    func `a name that does not end with a number is not the bridge's`(_ end: String) {
        #expect(TemporaryName(TemporaryName.prefix + "0123456789abcdef-0-0-0-1") != nil)
        #expect(TemporaryName(TemporaryName.prefix + "0123456789abcdef-0-0-0-" + end) == nil)
    }

    @Test func `without an exchange a racing save that is noticed in time is left unchanged`() throws {
        disk.world.save(document, .text("old"))
        let staged = try stage("new")
        disk.world.save(document, .text("racer"))
        let over = try disk.publishOver(staged, expected: Digest(of: .text("old")), limit: limit)
        #expect(over == .raced)
        #expect(names == ["a.json"] && disk.world.read(document) == .text("racer"))
    }

    @Test func `without links either a copy is displaced, with the rights of the document`() throws {
        disk.canLink = false
        disk.world.save(document, .text("old"), mode: 0o640)
        let staged = try stage("new")
        let over = try disk.publishOver(staged, expected: Digest(of: .text("old")), limit: limit)
        guard case .replaced(let aside) = over else {
            Issue.record("\(over)")
            return
        }
        #expect(disk.world.read(document) == .text("new"))
        #expect(try examine(aside, "old") == .expected(Digest(of: .text("old"))))
        #expect(try disk.status(of: aside).mode == 0o640 && disk.openHandles == 0)
    }

    /// At each call from the copy on, except the rename itself.
    @Test func `without links a save that comes after the copy is left unchanged`() throws {
        disk.canLink = false
        disk.world.save(document, .text("old"))
        let staged = try stage("new")
        disk.meanwhile = { [disk, document] call, _ in
            guard call == .create else { return }
            disk.meanwhile = { _, _ in }
            disk.world.save(document, .text("racer"))
        }
        let over = try disk.publishOver(staged, expected: Digest(of: .text("old")), limit: limit)
        #expect(over == .raced && names == ["a.json"] && disk.world.read(document) == .text("racer"))
    }

    @Test func `without rename flags and links a document is created only at a free name`() throws {
        (disk.canExchange, disk.canRenameExclusively, disk.canLink) = (false, false, false)
        #expect(try disk.publish(try stage("new"), replacing: false) == .created)
        #expect(disk.world.read(document) == .text("new") && names == ["a.json"])
        #expect(try disk.publish(try stage("other", number: 2), replacing: false) == .raced)
        #expect(disk.world.read(document) == .text("new") && names == ["a.json"])
    }

    @Test func `without an exchange a program that writes in place may finish`() throws {
        disk.world.save(document, .text("old"))
        let pen = try #require(disk.world.open(document))
        let staged = try stage("new")
        let over = try disk.publishOver(staged, expected: Digest(of: .text("old")), limit: limit)
        #expect(over == .raced)
        #expect(names == ["a.json"])
        pen.close()
    }

    // MARK: - Removing

    @Test(arguments: [true, false]) func `a document is removed and its content kept`(exclusive: Bool) throws
    {
        disk.canRenameExclusively = exclusive
        disk.world.save(document, .text("old"))
        let expected = Digest(of: .text("old"))
        let aside = try #require(try disk.displace(document, expected: expected, number: 7))
        #expect(disk.world.read(document) == nil)
        #expect(disk.world.read(aside) == .text("old"))
        #expect(try disk.displace(document, expected: expected, number: 8) == nil)
    }

    /// Whenever the racing save happens, it is at the document's name or in the displaced file.
    @Test(arguments: [true, false]) func `no removal loses a racing save`(exclusive: Bool) throws {
        for step in 1...6 {
            let disk = SimulatedDisk()
            disk.canRenameExclusively = exclusive
            disk.world.save(document, .text("old"))
            disk.meanwhile = { [document] _, _ in
                if disk.calls == step { disk.world.save(document, .text("racer")) }
            }
            _ = try disk.displace(document, expected: Digest(of: .text("old")), number: 7)
            guard disk.calls >= step else { continue }
            let kept = disk.world.files(.app).contains { $0.bytes == .text("racer") }
            #expect(kept, "before call \(step)")
        }
    }
}
