import FileSystem
import FileSystemSimulation
import Model
import TestWorld

/// Other programs that add lines to one document, each its own, and never remove one.
///
/// They take turns, as the processes of one app do, and do not use the bridge: a program does not see what
/// the bridge does between its read and its save.
final class Writers {
    enum Style: CaseIterable {
        /// A new file, renamed over the document.
        case rename
        /// Truncates the document and writes it again, in two pieces.
        case inPlace
        /// Opens the file first, and truncates it much later, wherever it is by then.
        case heldOpen
    }

    private let disk: SimulatedDisk
    private let document: Location
    private let count: Int
    private let styles: [Style]
    private var generator: SplitMix
    private var turn: Turn?
    private var saves = 0
    /// The lines whose saves have ended.
    private(set) var acknowledged: [String] = []

    private struct Turn {
        let line: String
        let style: Style
        let content: [UInt8]
        var pen: SimulatedDisk.World.Pen?
        var stage = 0
    }

    init(_ count: Int, of document: Location, on disk: SimulatedDisk, styles: [Style], seed: UInt64) {
        self.disk = disk
        self.document = document
        self.count = count
        self.styles = styles
        generator = SplitMix(seed)
    }

    /// One of them may do something. They stop at some point, or the bridge might never end.
    func act() {
        guard generator.oneIn(3) else { return }
        if turn != nil { proceed() } else if saves < 40 { begin() }
    }

    /// The program whose turn it is completes its save.
    func finish() {
        while turn != nil { proceed() }
    }

    private func begin() {
        saves += 1
        let line = "writer\(Int.random(in: 0..<count, using: &generator))-\(saves)"
        guard let style = styles.randomElement(using: &generator) else { return }
        let content = (disk.world.read(document) ?? []) + .text(line + "\n")
        turn = Turn(line: line, style: style, content: content)
        if style == .heldOpen { turn?.pen = disk.world.open(document) }
    }

    private func proceed() {
        guard var now = turn else { return }
        now.stage += 1
        switch (now.style, now.stage) {
        case (.rename, _):
            disk.world.save(document, now.content)
            return acknowledge(now)
        case (.inPlace, 1):
            now.pen = disk.world.open(document)
            now.pen?.truncate()
        case (.heldOpen, 1): now.pen?.truncate()
        case (_, 2): now.pen?.write(Array(now.content.prefix(now.content.count / 2)))
        default:
            now.pen?.write(Array(now.content.dropFirst(now.content.count / 2)))
            now.pen?.close()
            return acknowledge(now)
        }
        turn = now
    }

    private func acknowledge(_ done: Turn) {
        acknowledged.append(done.line)
        turn = nil
    }
}

/// The lines of a document.
func lines(_ bytes: [UInt8]) -> Set<String> {
    Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
}
