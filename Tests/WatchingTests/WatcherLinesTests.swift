import Model
import Testing

@testable import Watching

@Suite struct WatcherLinesTests {
    private func path(_ text: String) throws -> RelativePath { try #require(RelativePath(text)) }

    private func hints(_ text: String) -> [Hint] {
        var lines = WatcherLines()
        return lines.feed(Array(text.utf8))
    }

    @Test func `each line is parsed as its hint`() throws {
        #expect(hints("ready\n") == [.ready])
        #expect(hints("token 18446744073709551615\n") == [.token(.max)])
        #expect(hints("look 0 a/b c.json\n") == [.look(.app, try path("a/b c.json"))])
        #expect(hints("look 1 a/b/\n") == [.beneath(.group, try path("a/b"))])
        #expect(hints("look 1 ./\n") == [.beneath(.group, nil)])
        #expect(
            hints("all 0 watch-limit 3 not watched\n") == [
                .everything(.app, reason: .watchLimit(unwatched: 3, cause: "not watched"))
            ]
        )
        #expect(hints("read 0 a.json\n") == [.evidence(.read, .app, try path("a.json"))])
        #expect(hints("publish 1 a.json\n") == [.evidence(.published, .group, try path("a.json"))])
    }

    @Test func `escapes are decoded`() throws {
        #expect(hints(#"look 0 a\x0ab\x5cc.json"# + "\n") == [.look(.app, try path("a\nb\\c.json"))])
        #expect(hints(#"look 0 \xc3\xbc.json"# + "\n") == [.look(.app, try path("ü.json"))])
    }

    @Test func `a name that is not UTF-8 is passed on as bytes`() {
        #expect(hints(#"look 0 a\xff.json"# + "\n") == [.unnamable(.app, escaped: #"a\xff.json"#)])
        #expect(hints(#"look 1 d\xff/"# + "\n") == [.unnamable(.group, escaped: #"d\xff"#)])
    }

    @Test(arguments: [
        "", "bogus", "look", "look 0", "look 2 a", "look x a", "look 0 ", "all 0", "all 2 overflow",
        "all 0 tired", "all 0 watch-limit x", "token",
        "token x", "token -1", "ready now", "read 0", "read 2 a",
    ])
    func `an unknown line leads to a check of everything`(line: String) {
        var lines = WatcherLines()
        let hints = lines.feed(Array("\(line)\nready\n".utf8))
        if line != "read 0" {
            #expect(hints == Side.allCases.map { .everything($0, reason: .garbled) } + [.ready])
        }
        #expect(hints.last == .ready)
        #expect(!lines.takeComplaints().isEmpty || line == "read 0")
    }

    @Test func `an error of the helper is a message and not a hint`() {
        var lines = WatcherLines()
        #expect(lines.feed(Array("error no such root\n".utf8)) == [])
        #expect(lines.takeComplaints() == ["no such root"])
        #expect(lines.takeComplaints() == [])
    }

    @Test func `a line without end is limited, skipped, and followed by a check of everything`() {
        var lines = WatcherLines()
        var hints: [Hint] = []
        for _ in 0..<100 { hints += lines.feed([UInt8](repeating: UInt8(ascii: "x"), count: 1_000)) }
        hints += lines.feed(Array("tail\nready\n".utf8))
        #expect(hints == Side.allCases.map { .everything($0, reason: .garbled) } + [.ready])
    }

    @Test func `the longest path fits`() throws {
        let name = String(repeating: "\n", count: 250)
        let whole = Array(repeating: name, count: 16).joined(separator: "/")
        let escaped = whole.replacing("\n", with: #"\x0a"#)
        #expect(hints("look 0 \(escaped)\n") == [.look(.app, try path(whole))])
    }

    /// The hints are the same, however the output is split.
    @Test(arguments: 1...200)
    func `lines may arrive in pieces`(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        var text: [UInt8] = []
        var expected: [Hint] = []
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let (line, hint) = try someLine(using: &random)
            text += line + [UInt8(ascii: "\n")]
            expected += hint
        }
        var whole = WatcherLines()
        #expect(whole.feed(text) == expected)
        var pieces = WatcherLines()
        var hints: [Hint] = []
        var rest = text[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...7, using: &random)
            hints += pieces.feed(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        #expect(hints == expected)
    }

    /// No input makes it crash, or store more than a line.
    @Test(arguments: 1...200)
    func `random input is survived`(seed: UInt64) {
        var random = Seeded(seed: seed)
        let alphabet = Array("lokaedytn01 /\\xf\n\n".utf8) + [0, 0xFF, 0xC3]
        var lines = WatcherLines()
        for _ in 0..<50 {
            let count = Int.random(in: 0...200, using: &random)
            _ = lines.feed(
                (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            )
        }
        _ = lines.feed([UInt8(ascii: "\n")])
        #expect(lines.feed(Array("ready\n".utf8)) == [.ready])
    }

    private func someLine(using random: inout Seeded) throws -> ([UInt8], [Hint]) {
        let side: Side = Bool.random(using: &random) ? .app : .group
        let number = side == .app ? "0" : "1"
        let characters = Array("ab/ü\n\\ .")
        let text = String((0..<8).map { _ in characters[Int.random(in: 0..<8, using: &random)] })
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let token = random.next()
            return (Array("token \(token)".utf8), [.token(token)])
        case 1: return (Array("all \(number) overflow".utf8), [.everything(side, reason: .overflow)])
        default:
            guard let path = RelativePath(text) else { return (Array("ready".utf8), [.ready]) }
            var line = Array("look \(number) ".utf8)
            // Any byte may be escaped.
            for byte in text.utf8 {
                let isPlain =
                    byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "/")
                if byte == UInt8(ascii: "/") || (isPlain && Bool.random(using: &random)) {
                    line.append(byte)
                } else {
                    let digits = String(byte, radix: 16)
                    line += Array("\\x\(digits.count < 2 ? "0" : "")\(digits)".utf8)
                }
            }
            return (line, [.look(side, path)])
        }
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
