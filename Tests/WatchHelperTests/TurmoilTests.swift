import CLinux
import Glibc
import Synchronization
import Testing

/// After any changes of directories, at any speed, each one is watched under its name.
@Suite(.serialized) struct TurmoilTests {
    let container = try? Container()

    /// More with WIDGETBRIDGE_SEEDS.
    private static let seeds: UInt64 =
        unsafe getenv("WIDGETBRIDGE_SEEDS").flatMap { unsafe UInt64(String(cString: $0)) } ?? 20

    @Test(arguments: 1...seeds)
    func `after any sequence of changes the reported tree is the one on the disk`(seed: UInt64) throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        try container.makeDirectory("outside")
        var random = Seeded(seed: seed)
        for _ in 0..<20 {
            let before = container.files(beneath: "root")
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                Self.change(container.path, using: &random)
            }
            try expectAllTold(since: before, helper, container)
            try expectEverythingWatched(helper, container)
        }
    }

    @Test(arguments: 1...max(1, seeds / 8))
    func `concurrent changes by several programs are all reported`(seed: UInt64) throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        try container.makeDirectory("outside")
        let path = container.path
        for round in 0..<10 {
            let before = container.files(beneath: "root")
            var said: [String] = []
            try withThread {
                var random = Seeded(seed: seed &* 1_000 &+ UInt64(round))
                for _ in 0..<500 { Self.change(path, using: &random) }
            } while: {
                var random = Seeded(seed: seed &* 7_777 &+ UInt64(round))
                for _ in 0..<500 { Self.change(path, using: &random) }
                said = try helper.settled()
            }
            try expectAllTold(since: before, helper, container, and: said)
            try expectEverythingWatched(helper, container)
        }
    }

    @Test func pitfall02_directoriesRenamedByFourAtOnceKeepTheirWatches() throws {
        let container = try #require(container)
        let root = try container.root()
        for thread in 0..<4 { container.makeDirectories("root/t\(thread)/0/deep/er") }
        let helper = try Helper(root)
        try withThread {
            Self.renameToAndFro("\(root)/t0")
        } while: {
            try withThread {
                Self.renameToAndFro("\(root)/t1")
            } while: {
                try withThread {
                    Self.renameToAndFro("\(root)/t2")
                } while: {
                    Self.renameToAndFro("\(root)/t3")
                }
            }
        }
        try expectEverythingWatched(helper, container)
    }

    private static func renameToAndFro(_ directory: String) {
        for number in 0..<1_000 { unsafe rename("\(directory)/\(number)", "\(directory)/\(number + 1)") }
    }

    /// One step with only a few names, so that they collide.
    private static func change(_ path: String, using random: inout Seeded) {
        func place() -> String {
            let names = ["a", "b", "c"]
            let depth = Int.random(in: 1...4, using: &random)
            let top = Int.random(in: 0..<8, using: &random) == 0 ? "outside" : "root"
            return path + "/" + top
                + (0..<depth).map { _ in "/" + (names.randomElement(using: &random) ?? "a") }.joined()
        }
        switch Int.random(in: 0..<15, using: &random) {
        case 0..<5: unsafe mkdir(place(), 0o755)
        case 5..<8: unsafe rename(place(), place())
        case 8: _ = unsafe linux_renameat2(AT_FDCWD, place(), AT_FDCWD, place(), linux_rename_exchange)
        case 9: unsafe rmdir(place())
        case 10: unsafe symlink(Bool.random(using: &random) ? "." : "../b", place())
        case 11: unsafe unlink(place())
        case 12: unsafe link(place(), place())
        default: close(unsafe open(place(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644))
        }
    }

    /// Checks that the hints cover every file that was created, removed or changed.
    private func expectAllTold(
        since before: [String: String],
        _ helper: Helper,
        _ container: Container,
        and earlier: [String] = []
    ) throws {
        let said = earlier + (try helper.settled())
        let after = container.files(beneath: "root")
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let missed = changed.filter { !said.lead(to: $0) }
        #expect(missed.isEmpty, "\(missed.sorted().prefix(3)) of \(changed.count); \(said.suffix(20))")
    }
}

/// The same numbers for the same seed, on every machine.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 ^ 0x5851_F42D_4C95_7F2D }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
