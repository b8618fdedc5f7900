import Logging
import Synchronization
import Testing

@testable import Commands

@Suite struct LineLogHandlerTests {
    private func line(
        _ form: LineLogHandler.Form,
        _ level: Logger.Level = .warning,
        _ message: String,
        _ metadata: Logger.Metadata = [:],
        columns: Int? = nil
    ) -> String {
        let written = Written()
        var handler = LineLogHandler(form: form, columns: { columns }) { written.add($0) }
        handler[metadataKey: "bridge"] = "home"
        let logger = Logger(label: "widgetbridge", factory: { _ in handler })
        logger.log(level: level, "\(message)", metadata: metadata)
        return written.text
    }

    private final class Written: Sendable {
        private let lines = Mutex("")
        var text: String { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0 += line } }
    }

    @Test func `The message comes first, then bridge, document and direction`() {
        let fields: Logger.Metadata = ["why": "new", "direction": "app → group", "document": "a.json"]
        let expected = #"<6>create bridge="home" document="a.json" direction="app → group" why="new""#
        #expect(line(.journal, .info, "create", fields) == expected + "\n")
    }

    @Test func `A name can end neither its field nor the line`() {
        let expected = #"<4>hold bridge="home" document="a\" b\\\u{a}c""# + "\n"
        #expect(line(.journal, .warning, "hold", ["document": "a\" b\\\nc"]) == expected)
    }

    @Test(
        arguments: [
            (.critical, 2), (.error, 3), (.warning, 4), (.notice, 5), (.info, 6),
        ] as [(Logger.Level, Int)]
    )
    func `journald gets the priority, and adds the time itself`(_ level: Logger.Level, _ priority: Int) {
        #expect(line(.journal, level, "halted") == "<\(priority)>halted bridge=\"home\"\n")
    }

    @Test func `An entry is wrapped on a terminal, and nowhere else`() {
        let fields: Logger.Metadata = ["document": "a.json", "direction": "app → group", "why": "new in app"]
        let terminal = line(.terminal, .info, "create", fields, columns: 40).split(separator: "\n")
        #expect(
            terminal.map { String($0.dropFirst(9)) } == [
                #"create bridge="home""#, #"document="a.json""#, #"direction="app → group""#,
                #"why="new in app""#,
            ]
        )
        #expect(terminal.dropFirst().allSatisfy { $0.hasPrefix("         ") })
        for form in [LineLogHandler.Form.file, .journal] {
            #expect(line(form, .info, "create", fields, columns: 40).split(separator: "\n").count == 1)
        }
    }

    @Test func `A file gets the time with its offset, and the level`() {
        let time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d/
        let parts = line(.file, .warning, "halted").split(separator: " ", maxSplits: 1)
        #expect(parts[0].wholeMatch(of: time) != nil && parts[1] == "warning halted bridge=\"home\"\n")
    }

    @Test func `A terminal gets the time of day, and the level of warnings and errors`() {
        #expect(
            line(.terminal, .info, "create").wholeMatch(of: /\d\d:\d\d:\d\d create bridge="home"\n/) != nil
        )
        #expect(line(.terminal, .error, "halted").contains(/\d error: halted/))
    }
}
