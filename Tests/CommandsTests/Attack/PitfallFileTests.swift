import AgentClient
import BridgeRuntime
import Glibc
import Model
import TestBridge
import Testing

/// The pitfalls of watching files, with the real agent: at the end both sides equal the disk.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PitfallFileTests {
    @Test func pitfall12_aWriteThroughAHardLinkElsewhereIsFoundByRehashing() async throws {
        try await Attacked.with(prepare: "echo 1 > outside; ln outside app/a.json") { attacked in
            try await attacked.expectSame(1)
            try await attacked.shell("echo 2 > outside")
            try await attacked.expectSame(1, rehash: true)
            #expect(attacked.documents(.group)["a.json"] == "2\n")
            // The widget's save does not write through the link.
            try await attacked.shell("echo 3 > group/a.json")
            try await attacked.expectSame(as: .group, 1)
            #expect(try await attacked.shell("cat outside") == "2\n")
        }
    }

    /// Several of these cause no CLOSE_WRITE.
    @Test func pitfall15_everyWayToChangeADocumentCrosses() async throws {
        let ways = [
            "echo 2 > a.json", "echo ' ' >> a.json", "truncate -s 2 a.json",
            "printf 3 | dd of=a.json conv=notrunc",
            "echo 4 > ../x && mv ../x a.json", "echo 5 > ../y && ln -f ../y a.json",
            "cp --preserve ../z a.json",
            "sed -i s/./6/ a.json", "(exec 5> a.json; echo 7 >&5; kill -9 $BASHPID); true",
            "rm a.json; echo 8 > a.json",
            "exec 5<> a.json; echo 9 >&5", "chmod 600 a.json; touch -d 2001-01-01 a.json; cat ../z > a.json",
        ]
        try await Attacked.with(prepare: "echo 1 > app/a.json; echo 0 > z") { attacked in
            for way in ways {
                try await attacked.shell("cd app && \(way)")
                try await attacked.expectSame(1)
            }
            try await attacked.shell("rm app/a.json")
            try await attacked.expectSame(0)
        }
    }

    @Test func pitfall16_aMappedWriteIsFoundByRehashingAndOtherwiseOnceItIsUnmapped() async throws {
        try await Attacked.with(prepare: "printf 1000 > app/a.json") { attacked in
            let descriptor = unsafe open("\(attacked.bridge.app)/a.json", O_RDWR | O_CLOEXEC)
            let mapped = unsafe mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
            guard let memory = unsafe mapped, unsafe memory != MAP_FAILED else { throw Gone() }
            close(descriptor)
            for (digit, rehash) in [(UInt8(ascii: "2"), true), (UInt8(ascii: "3"), false)] {
                unsafe memory.storeBytes(of: digit, as: UInt8.self)
                unsafe msync(memory, 4, Int32(MS_SYNC))
                if !rehash { unsafe munmap(memory, 4) }
                try await attacked.expectSame(1, rehash: rehash)
                #expect(attacked.documents(.group)["a.json"]?.first?.asciiValue == digit)
            }
        }
    }

    @Test func pitfall17_aFileWithoutANameIsCarriedOnceItHasOne() async throws {
        try await Attacked.with { attacked in
            let temporaryFile = 0o20000000 | Int32(O_DIRECTORY)
            let descriptor = unsafe open(attacked.bridge.app, temporaryFile | O_RDWR | O_CLOEXEC, 0o644)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            _ = unsafe write(descriptor, "{}", 2)
            try await attacked.expectSame(0)
            let (name, link) = ("\(attacked.bridge.app)/a.json", "/proc/self/fd/\(descriptor)")
            try #require(unsafe linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            try await attacked.expectSame(1)
        }
    }

    @Test func pitfall18_whatIsWrittenToADeletedFileIsNoDocument() async throws {
        try await Attacked.with(prepare: "echo 1 > app/a.json") { attacked in
            let descriptor = unsafe open("\(attacked.bridge.app)/a.json", O_WRONLY | O_CLOEXEC)
            try await attacked.shell("rm app/a.json")
            try await attacked.expectSame(0)
            _ = unsafe write(descriptor, "2", 1)
            close(descriptor)
            try await attacked.expectSame(0)
        }
    }

    @Test func pitfall19_documentsAndDirectoriesThatAreExchangedAreExchangedOnTheOtherSide() async throws {
        let make =
            "mkdir app/{d,e}; echo 1 > app/a.json; echo 2 > app/b.json; echo 3 > app/d/c.json; echo 4 > app/e/c.json"
        try await Attacked.with(prepare: make) { attacked in
            let app = attacked.bridge.app
            for _ in 0..<11 {
                exchange("\(app)/a.json", "\(app)/b.json")
                exchange("\(app)/d", "\(app)/e")
                try await attacked.expectSame(4)
            }
            #expect(attacked.documents(.group)["a.json"] == "2\n")
            #expect(attacked.documents(.group)["d/c.json"] == "4\n")
            exchange("\(app)/d", "\(app)/a.json")
            try await attacked.shell("mv app/a.json app/f; mv app/d app/a.json")
            try await attacked.expectSame(4)
        }
    }

    @Test func pitfall20_savesByRenameOverAndByBackupAreOneChangeEach() async throws {
        try await Attacked.with { attacked in
            for number in 1...20 {
                try await attacked.shell("echo \(number) > app/a.json.tmp && mv app/a.json.tmp app/a.json")
                try await attacked.expectSame(1)
                try await attacked.shell(
                    "cd app; cp a.json 4913; rm 4913; mv a.json a.json~; echo 0\(number) | tr -d 0 > a.json"
                )
                try await attacked.expectSame(1)
            }
        }
    }

    @Test func pitfall24_theLongestNamesAreCarriedBothWays() async throws {
        try await Attacked.with { attacked in
            let names = "for n in {10..29}; do echo $n > %/$n$(printf 'x%.0s' {1..248}).json; done"
            try await attacked.shell(names.replacing("%", with: "app"))
            try await attacked.expectSame(20)
            try await attacked.shell("for f in group/1*.json; do echo 99 > $f; done")
            try await attacked.expectSame(as: .group, 20)
        }
    }

    @Test func pitfall26_itsOwnWritesAreNoChanges() async throws {
        try await Attacked.with(prepare: "echo 0 > app/a.json") { attacked in
            try await attacked.expectSame(1)
            let start = try await attacked.client.status().counters.changes
            for number in 1...20 {
                let side = number % 2 == 0 ? "app" : "group"
                try await attacked.shell("echo \(number) > \(side)/t && mv \(side)/t \(side)/a.json")
                let identity = try await attacked.shell("stat -c %i \(side)/a.json")
                try await attacked.expectSame(as: side == "app" ? .app : .group, 1)
                #expect(try await attacked.shell("stat -c %i \(side)/a.json") == identity)
            }
            let counters = try await attacked.client.status().counters
            #expect(counters.changes == start + 20)
            #expect(counters.echoes > 0)
        }
    }
}
