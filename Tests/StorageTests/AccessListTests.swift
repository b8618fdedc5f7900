import CLinux
import DirectoryReplica
import FileSystem
import Glibc
import Model
import StateStore
import Testing

/// The access rights of a document stay when another content replaces it.
@Suite(.enabled(if: AccessLists.areKept, "the file system keeps no access control lists"))
struct AccessListTests {
    private static let nobody = AccessLists.nobody

    private func read(_ name: String, at path: String) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 4096)
        let count = unsafe getxattr(path, name, &value, value.count)
        return count < 0 ? nil : Array(value.prefix(count))
    }

    private func replace(_ ground: LinuxGround, like model: Location) throws {
        let staged = try ground.door.stage(
            .text("new"),
            digest: Digest(of: .text("new")),
            for: group("a.json"),
            replacing: Digest(of: .text("old")),
            like: model,
            number: 1,
            synced: false
        )
        _ = try ground.door.publish(staged, replacing: model.root == .group)
    }

    @Test func `an access list stays with its document, and the group gains no rights`() throws {
        let ground = try LinuxGround()
        ground.save(group("a.json"), .text("old"))
        #expect(
            AccessLists.set(AccessLists.access, AccessLists.private1234, at: ground.path(group("a.json")))
        )
        try replace(ground, like: group("a.json"))
        #expect(read(AccessLists.access, at: ground.path(group("a.json"))) == AccessLists.private1234)
        #expect(try ground.door.status(of: group("a.json")).mode == 0o660)
    }

    @Test func `an access list is copied with a new document`() throws {
        let ground = try LinuxGround()
        ground.save(app("a.json"), .text("old"))
        #expect(AccessLists.set(AccessLists.access, AccessLists.private1234, at: ground.path(app("a.json"))))
        try replace(ground, like: app("a.json"))
        #expect(read(AccessLists.access, at: ground.path(group("a.json"))) == AccessLists.private1234)
    }

    @Test func `a document is restored from the trash with its access list, and the trash is private`() throws
    {
        let ground = try LinuxGround()
        ground.save(group("old.json"), .text("old"))
        let (given, listed) = (ground.path(group("old.json")), AccessLists.private1234)
        #expect(AccessLists.set(AccessLists.access, listed, at: given))
        try StateDirectory(ground.door).makeKeepingPlaces()
        let digest = Digest(of: .text("old"))
        try StateDirectory(ground.door).discard(group("old.json"), digest: digest, limit: 1 << 20)
        let trashed = try #require(Trash.place(of: digest))
        #expect(try ground.door.status(of: trashed).mode == 0o600)
        #expect(read(AccessLists.access, at: ground.path(trashed)) == nil)
        _ = try ground.door.publish(
            ground.door.stage(
                .text("old"),
                digest: digest,
                for: group("a.json"),
                replacing: nil,
                like: trashed,
                number: 1,
                synced: false
            ),
            replacing: false
        )
        #expect(read(AccessLists.access, at: ground.path(group("a.json"))) == listed)
        #expect(try ground.door.status(of: group("a.json")).mode == 0o660)
    }

    @Test func `a directory's default list does not apply to a replaced document`() throws {
        let ground = try LinuxGround()
        ground.save(group("a.json"), .text("old"))
        ground.setMode(group("a.json"), 0o664)
        let directory = "\(ground.top)/group"
        let generous = AccessLists.list([
            (1, 7, Self.nobody), (2, 7, 1234), (4, 7, Self.nobody), (0x10, 7, Self.nobody),
            (0x20, 0, Self.nobody),
        ])
        #expect(AccessLists.set(AccessLists.inherited, generous, at: directory))
        try replace(ground, like: group("a.json"))
        #expect(read(AccessLists.access, at: ground.path(group("a.json"))) == nil)
        #expect(try ground.door.status(of: group("a.json")).mode == 0o664)
    }

    @Test func `a new directory gets both access lists`() throws {
        let ground = try LinuxGround()
        for place in [app("d"), group("d")] { ground.makeDirectory(place) }
        let wide = AccessLists.list([
            (1, 7, Self.nobody), (2, 5, 1234), (4, 0, Self.nobody), (0x10, 5, Self.nobody),
            (0x20, 0, Self.nobody),
        ])
        for name in [AccessLists.access, AccessLists.inherited] {
            #expect(AccessLists.set(name, wide, at: ground.path(app("d"))))
        }
        try ground.door.copyAttributes(of: directory(.app, "d"), to: directory(.group, "d"))
        for name in [AccessLists.access, AccessLists.inherited] {
            #expect(read(name, at: ground.path(group("d"))) == wide)
        }
        #expect(try ground.door.status(of: directory(.group, "d")).mode == 0o750)
    }
}

private enum AccessLists {
    static let access = "system.posix_acl_access"
    static let inherited = "system.posix_acl_default"
    static let nobody = UInt32.max

    /// In the kernel's format: version 2, then tag, rights and ID of each entry.
    static func list(_ entries: [(tag: UInt16, rights: UInt16, who: UInt32)]) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return entries.reduce(into: bytes(UInt32(2))) {
            $0 += bytes($1.tag) + bytes($1.rights) + bytes($1.who)
        }
    }

    /// The group has no rights; user 1234 may read and write, which is the mask, and therefore the mode's
    /// 060.
    static let private1234 = list([
        (1, 6, nobody), (2, 6, 1234), (4, 0, nobody), (0x10, 6, nobody), (0x20, 0, nobody),
    ])

    static var areKept: Bool {
        guard let ground = try? LinuxGround() else { return false }
        ground.save(app("a"), [1])
        return set(access, private1234, at: ground.path(app("a")))
    }

    static func set(_ name: String, _ value: [UInt8], at path: String) -> Bool {
        unsafe setxattr(path, name, value, value.count, 0) == 0
    }
}
