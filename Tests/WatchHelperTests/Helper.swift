import Glibc
import Testing

@testable import Watching

/// A running `widgetbridge-watch` with its input and output.
final class Helper {
    let process: HelperProcess
    private var rest: [UInt8] = []
    private var heard: [String] = []
    private var lastToken = 0

    /// Generous: it is only reached if a test would hang otherwise.
    static let patience = Duration.seconds(120)

    struct Silence: Error, CustomStringConvertible {
        let description: String
    }

    static func program() throws -> String {
        try #require(HelperProgram.find(), "build the product widgetbridge-watch first")
    }

    /// Starts it without waiting for `ready`.
    init(starting roots: [String], flags: [String] = [], through wrapper: [String] = []) throws {
        let command = wrapper + [try Self.program()] + flags + roots
        process = try HelperProcess(command[0], Array(command.dropFirst()))
    }

    /// Starts it and waits for `ready`.
    convenience init(_ roots: String..., flags: [String] = []) throws {
        try self.init(starting: roots, flags: flags)
        _ = try lines(through: "ready")
    }

    var id: Int32 { process.id }

    func send(_ line: String) { process.send(line) }

    func endInput() { process.endInput() }

    /// Its output since the last call, once all earlier changes are reported. Each hint is returned once,
    /// because the kernel may merge events.
    func settled() throws -> [String] {
        var seen: Set<String> = []
        return try everythingSaid().filter { !$0.hasPrefix("look ") || seen.insert($0).inserted }
    }

    func everythingSaid() throws -> [String] {
        lastToken += 1
        send("token \(lastToken)")
        return try lines(through: "token \(lastToken)").dropLast()
    }

    /// Its output up to this line.
    func lines(through last: String) throws -> [String] { try lines { $0 == last } }

    func lines(through isLast: (String) -> Bool) throws -> [String] {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.patience
        while true {
            if let index = heard.firstIndex(where: isLast) {
                defer { heard.removeSubrange(...index) }
                return Array(heard[...index])
            }
            guard clock.now < deadline else {
                throw Silence(description: "nothing of the kind was said, but: \(heard.suffix(20))")
            }
            guard try receive() else {
                throw Silence(description: "it ended, having said: \(heard.suffix(20))")
            }
        }
    }

    /// Reads available output, or waits briefly for it; `false` at the end.
    private func receive() throws -> Bool {
        var waited = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waited, 1, 1000)
        guard let bytes = process.receive() else { return false }
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            heard.append(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
        }
        return true
    }

    /// Its output until it ends by itself.
    func linesToItsEnd() throws -> [String] {
        while try receive() {}
        defer { heard.removeAll() }
        return heard
    }
}

extension [String] {
    /// Whether these hints make a client check that path.
    func lead(to path: String, root: Int = 0) -> Bool {
        let hints = Set(self)
        if hints.contains("look \(root) \(path)") || hints.contains("look \(root) ./") { return true }
        if contains(where: { $0.hasPrefix("all \(root) ") }) { return true }
        var directory = path[...]
        while let slash = directory.lastIndex(of: "/") {
            directory = directory[..<slash]
            if hints.contains("look \(root) \(directory)/") { return true }
        }
        return false
    }
}
