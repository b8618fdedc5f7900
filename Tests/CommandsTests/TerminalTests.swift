import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

/// What a terminal is asked to do, and how wide it shows what is printed.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
    @Test(arguments: [
        (["TERM": "xterm"], true), (["TERM": "dumb"], false), (["TERM": ""], false), ([:], false),
        (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "xterm", "NO_COLOR": "0"], false),
        (["TERM": "xterm", "NO_COLOR": ""], true),
    ])
    func `Colours are for terminals that know them, and people who want them`(
        _ environment: [String: String],
        _ isColoured: Bool
    ) {
        #expect(TerminalAbilities(isTerminal: true, environment: environment).usesColour == isColoured)
        #expect(!TerminalAbilities(isTerminal: false, environment: environment).usesColour)
    }

    @Test func `A dumb terminal is shown no progress, which would be written over itself`() {
        let dumb = TerminalAbilities(isTerminal: true, environment: ["TERM": "dumb"])
        #expect(!dumb.rewritesLines)
        #expect(
            TerminalAbilities(isTerminal: false, environment: ["TERM": "vt100", "NO_COLOR": "1"])
                .rewritesLines
        )
    }

    @Test(arguments: [
        ("budget.json", 11), ("", 0), ("予算.json", 9), ("예산", 4), ("e\u{301}", 1), ("🙂", 2), ("👨‍👩‍👧", 2),
        ("❤️", 2), ("🇮🇹", 2), ("→ …", 3), ("ﾃｽﾄ", 3), ("Ｆ", 2), ("\u{200B}a", 1),
    ])
    func `A character is as wide as a terminal shows it`(_ text: String, _ width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test func `Columns stay in line behind wide names, and what is cut short fits`() {
        #expect("予算".padded(to: 6) + "|" == "予算  |")
        #expect("予算".paddedInFront(to: 6) == "  予算")
        for width in 2...9 {
            let short = "家計簿の予算.json".shortened(to: width)
            #expect(short.displayWidth <= width && short.displayWidth >= width - 2, "\(short)")
            #expect(short.hasSuffix("n") || width < 3)
        }
        let lines = "予算 予算 予算 予算".wrapped(behind: "名  ", to: 14)
        #expect(lines == ["名  予算 予算", "    予算 予算"])
    }

    @Test(arguments: [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
    func `What is closed is not written into a file that was opened in its place`(_ closed: String)
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save(#"{"a":1}"#, as: "a.json", in: bridge.app)
            let line = "exec \"$@\" \(closed)"
            let running = try Running(
                command: ["/bin/sh", "-c", line, "sh", Binary.path, "sync", "--log-level", "trace"]
                    + bridge.flags
            )
            let ended = await running.ended()
            #expect(ended.status == (closed.contains(">&-") && closed != "2>&-" ? 1 : 0), "\(ended)")
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":1}"#)
            #expect(try await bridge.run("status").status == 0)
        }
    }
}
