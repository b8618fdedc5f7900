import Testing

@testable import RaceLab

@Suite("The colours of a race's page")
struct ContrastTests {
    private static let least = 4.5
    private static let style = HTMLReport.style + "\n" + LaneDrawing.style

    /// Where drawn things stand: on the paper, on a call, in the stretch of an anomaly.
    private static let drawn = ["--paper", "--bar", "--blame"]

    /// Every colour of the style, with what it stands on.
    private static let known: [String: ColourUse] = [
        "body | background": .ground, ".scroll | background": .ground, "#detail | background": .ground,
        "kbd | background": .ground, ".race .ground | fill": .ground, ".race .call rect | fill": .ground,
        ".race .guilt rect | fill": .ground, ".race .screen | fill": .ground,
        // The rim of letters that an arrow crosses.
        ".race .side | stroke": .ground, ".race .said | stroke": .ground,

        "body | color": .ink(on: ["--page", "--panel"]), "h1 small | color": .ink(on: ["--page"]),
        ".summary | color": .ink(on: ["--page"]), "a | color": .ink(on: ["--page"]),
        ".verdict a | color": .ink(on: ["--page"]), ".verdict b | color": .ink(on: ["--page"]),
        ".guilty | border-left": .ink(on: ["--page"]), ".guilty a | color": .ink(on: ["--page"]),
        ".guilty small | color": .ink(on: ["--page"]), ".guilty em | color": .ink(on: ["--page"]),
        ".gap | color": .ink(on: ["--page"]), ".end .agrees | color": .ink(on: ["--page"]),
        ".end .differs | color": .ink(on: ["--page"]), "dt | color": .ink(on: ["--page"]),
        ":focus-visible | outline": .ink(on: ["--page", "--sheet"]), ".legend | color": .ink(on: ["--page"]),
        ".chip | color": .ink(on: ["contents"]), ".chip.none | color": .ink(on: ["--page"]),
        ".bar i | background": .ink(on: ["--page"]), "del | color": .ink(on: ["--panel"]),
        "ins | color": .ink(on: ["--panel"]), "footer | color": .ink(on: ["--page", "--panel"]),

        "svg.race | color": .ink(on: drawn), ".race text | fill": .ink(on: drawn),
        ".race .kind | fill": .ink(on: drawn), ".race .call text | fill": .ink(on: drawn),
        ".race .lane | stroke": .ink(on: drawn),
        ".race .call rect | stroke": .ink(on: ["--paper", "--blame"]),
        ".race .call.died rect | stroke": .ink(on: ["--paper", "--blame"]),
        ".race .guilt rect | stroke": .ink(on: ["--paper"]), ".race .fault | fill": .ink(on: drawn),
        ".race .flow | stroke": .ink(on: drawn), ".race .flow.blame | stroke": .ink(on: drawn),
        ".race .tip | fill": .ink(on: drawn), ".race marker.blame | fill": .ink(on: drawn),
        ".race .quiet | fill": .ink(on: drawn), ".race .dot | stroke": .ink(on: drawn),
        ".race .letter | fill": .ink(on: ["contents"]), ".race .letter.none | fill": .ink(on: drawn),
        ".race .culprit | stroke": .ink(on: drawn), ".race .death | stroke": .ink(on: drawn),
        ".race .birth | fill": .ink(on: drawn), ".race .pause | stroke": .ink(on: drawn),
        ".race .onward | stroke": .ink(on: drawn), ".race .pen | stroke": .ink(on: drawn),
        ".race .ring | stroke": .ink(on: drawn), ".race .halt | stroke": .ink(on: drawn),
        ".race .screen | stroke": .ink(on: drawn),
        ".race .close | stroke": .ink(on: ["--paper"]),
        ".race .step:focus .touch | stroke": .ink(on: drawn),
        ".race .step:focus .dot | stroke": .ink(on: drawn),
        ".race .step:focus .death | stroke": .ink(on: drawn),

        // Rows and boxes are told apart by their place too.
        "td | border-bottom": .decoration, "th | border-bottom": .decoration, ".scroll | border": .decoration,
        "#detail | border-top": .decoration, "kbd | border": .decoration,
        // The step with the pointer or the focus, whose details are shown.
        ".race .step:focus .touch | fill": .decoration, ".race .step:hover .touch | fill": .decoration,
    ]

    /// What cannot be read, and colours that nobody has looked at.
    private func problems(in style: String, isDark: Bool) -> Set<String> {
        let colours = PageColours(style, isDark: isDark)
        var problems = Set(Self.known.keys).subtracting(colours.uses.map(\.name))
        for use in colours.uses {
            guard let known = Self.known[use.name] else {
                problems.insert("unknown: \(use.name)")
                continue
            }
            guard case .ink(let grounds) = known else { continue }
            for ground in grounds.flatMap({ $0 == "contents" ? LaneDrawing.colours : [$0] }) {
                guard let ink = colours.value(use.colour), let below = colours.value(ground) else {
                    problems.insert("no colour: \(use.name) on \(ground)")
                    continue
                }
                if PageColours.contrast(ink, below) < Self.least {
                    problems.insert("\(use.name) on \(ground)")
                }
            }
        }
        return problems
    }

    @Test("have a contrast of 4.5 to 1 to what they stand on", arguments: [false, true])
    func readable(isDark: Bool) {
        #expect(problems(in: Self.style, isDark: isDark) == [])
    }

    @Test("are not thinned out afterwards")
    func opaque() {
        let opacities = Self.style.matches(of: /([a-z-]*opacity):/).map { String($0.1) }
        #expect(opacities == ["fill-opacity"], "only for the area under the pointer")
    }

    @Test("of contents in a page are those that are checked")
    func contents() throws {
        let page = HTMLReport([try lostTap()], summary: "").text
        let used = Set(page.matches(of: /style="background:([^";]*)"/).map { String($0.1) })
        let filled = Set(page.matches(of: /fill="(#[^"]*)"/).map { String($0.1) })
        #expect(used.count > 1 && used.isSubset(of: LaneDrawing.colours))
        #expect(filled.count > 1 && filled.isSubset(of: LaneDrawing.colours))
    }

    @Test("are measured: a pale, a missing and an unknown one are found")
    func measured() {
        let white = PageColours.contrast([1, 1, 1], [0, 0, 0])
        let grey = PageColours.contrast([119.0 / 255, 119.0 / 255, 119.0 / 255], [1, 1, 1])
        #expect(abs(white - 21) < 0.001 && abs(grey - 4.478) < 0.001)
        for isDark in [false, true] {
            let colours = PageColours(Self.style, isDark: isDark)
            #expect(colours.value("--page") == colours.value(isDark ? "#0f1114" : "#f4f4f0"))
            let pale = Self.style + "\n:root { --dim: #808080; }"
            #expect(problems(in: pale, isDark: isDark).contains("footer | color on --page") == !isDark)
            let bold = Self.style + "\n@media (prefers-color-scheme: dark) { :root { --dim: #707070; } }"
            #expect(problems(in: bold, isDark: isDark).contains("footer | color on --page") == isDark)
            let more = Self.style + "\n.new { color: #999; }"
            #expect(problems(in: more, isDark: isDark) == ["unknown: .new | color"])
            let less = Self.style.replacing("dt { color: var(--dim); }", with: "")
            #expect(problems(in: less, isDark: isDark) == ["dt | color"])
        }
    }
}
