import TestWorld
import Testing

@testable import Commands

/// What killed runs of `store put` left beside a store.
@Suite(.timeLimit(.minutes(5))) struct StoreLeftoverTests {
    /// Files as a run leaves them whose process has ended, or has the ID `process`.
    private static func leaving(_ name: String, _ bytes: String, process: String = "dead.pid") -> String {
        """
        import hashlib, subprocess
        dead = subprocess.Popen(["true"]); dead.wait()
        def digest(data): return hashlib.sha256(data).hexdigest()[:16]
        new, old = b"new", b"old"
        name = f".store-put-{\(process)}-\(name)-{digest(new)}-{digest(old)}"
        open(name, "wb").write(\(bytes))

        """
    }

    private func put(in world: StoreWorld) async throws -> [String] {
        try await world.python("plistlib.dump({'n': 1}, open('a', 'wb'))")
        #expect(await world.run("put", "a", "n", "2").status == .done)
        return try world.names()
    }

    @Test(arguments: ["new", "old", "b''"])
    func `A file that is known is removed by the next run`(bytes: String) async throws {
        try await StoreWorld.with { world in
            try await world.python(Self.leaving("0", bytes))
            #expect(try await put(in: world) == ["a"])
        }
    }

    @Test func `A file that was written in part, and never published, is removed`() async throws {
        try await StoreWorld.with { world in
            let mark = """
                empty = hashlib.sha256(b"").digest()
                mark = empty + empty + hashlib.sha256(name.encode()).digest()[:8]
                os.setxattr(name, "user.widgetbridge.store", mark)

                """
            try await world.python(Self.leaving("0", "b'part'") + mark)
            #expect(try await put(in: world) == ["a"])
        }
    }

    @Test(arguments: [("b'another'", "dead.pid"), ("new", "1")])
    func `What may be another program's save, or is of a running process, stays`(
        bytes: String,
        process: String
    ) async throws {
        try await StoreWorld.with { world in
            try await world.python(Self.leaving("0", bytes, process: process))
            #expect(try await put(in: world).count == 2)
        }
    }
}
