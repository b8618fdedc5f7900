import Foundation
import TestWorld
import Testing

@testable import Commands

/// Commands that are asked for a document which does not exist, and may come later.
@Suite(.timeLimit(.minutes(2))) struct UnseenDocumentTests {
    private static func hint(_ bridge: RealBridge) -> String {
        "widgetbridge: the bridge has never seen this document, budgte.json; "
            + "`widgetbridge status \(bridge.hintFlags)` lists those there are. Did you mean `budget.json`?"
    }

    @Test func `The history of an unknown document names the nearest one`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(#"{"n":1}"#, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let unknown = await run(["history", "budgte.json"] + bridge.flags)
            let said = "\(Self.hint(bridge))\n"
            #expect(unknown == Ran(status: .done, output: "nothing to take back\n", errors: said))
            let known = await run(["history", "budget.json"] + bridge.flags)
            #expect(known == Ran(status: .done, output: "nothing to take back\n"))
            // What was deleted long ago is known as well.
            #expect(try await bridge.run("delete", "budget.json").status == 0)
            #expect(await run(["history", "budget.json", "--since", "1ms"] + bridge.flags).errors.isEmpty)
        }
    }

    @Test func `A subscriber of an unknown document is told of the nearest one, and waits`() async throws {
        try await RealBridge.withAgent { bridge in
            // A bridge without documents has just begun.
            let early = try Running(
                command: [Binary.path, "subscribe", "--document", "first.json", "--count", "1"]
                    + bridge.flags,
                isMixed: true
            )
            try bridge.save(#"{"n":1}"#, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let late = try Running(
                command: [Binary.path, "subscribe", "--document", "budgte.json", "--count", "1"]
                    + bridge.flags,
                isMixed: true
            )
            #expect(await late.line() == Self.hint(bridge))
            try bridge.save(#"{"n":1}"#, as: "budgte.json", in: bridge.app)
            #expect(await late.line()?.contains(#""document":"budgte.json""#) == true)
            #expect(await late.ended().status == 0)
            try bridge.save(#"{"n":1}"#, as: "first.json", in: bridge.app)
            #expect(await early.ended().status == 0)
            let known = try await bridge.run("subscribe", "--document", "budget.json", "--count", "1")
            #expect(known.status == 0 && known.errors.isEmpty)
        }
    }

    @Test(arguments: ["../x", "/x", ""])
    func `A name outside of the container is refused with what is allowed`(name: String) async {
        let ran = await run(["race", "observe", "--app", "/a", "--group", "/g", "--document", name])
        let line =
            "the value '\(name)' is invalid for '--document <document>': expected a path inside the container, "
            + "such as `notes/a.json`, without `..`; see `widgetbridge race observe --help`"
        #expect(ran == Ran(status: .usage, errors: "widgetbridge: \(line)\n"))
    }

    @Test func `An error names a side only if one was named`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            for command in ["why", "status", "diff"] {
                let ran = await run([command, "none.json"] + bridge.flags)
                #expect(ran.errors.contains("no such document, none.json; "), "\(ran)")
            }
            let got = await run(["get", "none.json", "--side", "app"] + bridge.flags)
            #expect(got.errors.contains("no such document, app:none.json; "), "\(got)")
        }
    }
}
