import Foundation
import TestWorld
import Testing

/// A container on a file system that ignores case, where one can be mounted.
@Suite(.timeLimit(.minutes(2))) struct CaseFoldingMountTests {
    /// Debian's `lowntfs-3g`, which lists every name in small letters; `nil` where it cannot be mounted.
    private static func withMount(_ body: (_ mount: String) async throws -> Void) async throws -> Bool {
        try await withDirectory { directory in
            let mount = """
                cd '\(directory)' && truncate -s 16M image && mkdir mount && PATH=$PATH:/usr/sbin:/sbin \
                && mkntfs -F -q image && lowntfs-3g -o ignore_case image mount
                """
            guard await (try Running(command: ["/bin/sh", "-c", mount])).ended().status == 0 else {
                return false
            }
            let unmount = ["/bin/sh", "-c", "umount -l '\(directory)/mount'"]
            do { try await body("\(directory)/mount") } catch {
                _ = await (try Running(command: unmount)).ended()
                throw error
            }
            #expect(await (try Running(command: unmount)).ended().status == 0)
            return true
        }
    }

    @Test func `A name with a capital is held, and a rename of case deletes nothing in the app`() async throws
    {
        let isMounted = try await Self.withMount { group in
            try await RealBridge.with { bridge in
                let flags = [
                    "--app", bridge.app, "--group", group, "--state", bridge.state, "--durability", "none",
                ]
                try write("1", to: "\(bridge.app)/one.json")
                try write("2", to: "\(bridge.app)/b.json")
                #expect(try await Binary.run(["sync"] + flags).status == 0)
                try FileManager.default.moveItem(
                    atPath: "\(bridge.app)/one.json",
                    toPath: "\(bridge.app)/One.json"
                )
                for _ in 0..<3 {
                    let synced = try await Binary.run(["sync"] + flags)
                    #expect(synced.status == 7 && synced.output.contains("differs only in case"), "\(synced)")
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: bridge.app).sorted()
                #expect(names.filter { $0.hasSuffix(".json") } == ["One.json", "b.json"])
            }
        }
        if !isMounted { print("skipped: lowntfs-3g cannot be mounted here") }
    }
}
