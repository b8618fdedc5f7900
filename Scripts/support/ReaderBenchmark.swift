import FoundationEssentials
import Glibc

// Measures how long a widget's process takes from its start to its first value, and the memory of its own. It starts
// itself for that; the floor is a program that does nothing.

struct Budget: Decodable {
    var spent: Decimal
    var limit: Decimal
    var month: String
}

@main
struct ReaderBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return try measure(in: arguments[1]) }
        let budget = try DocumentReader(container: arguments[2]).value(Budget.self, of: "budget.json")
        print(budget.spent, ownKilobytes())
    }

    private static func measure(in directory: String) throws {
        let text = #"{"spent":450.50,"limit":1000,"month":"Gennaio 2026"}"#
        try Data(text.utf8).write(to: URL(filePath: "\(directory)/budget.json"))
        let rounds = 100
        var floor: [Double] = []
        var reader: [Double] = []
        var output = ""
        for _ in 0..<rounds {
            floor.append(try run(["/bin/true"]).milliseconds)
            let ended = try run(["/proc/self/exe", "read", directory])
            reader.append(ended.milliseconds)
            output = ended.output
        }
        let words = output.split { " \n".contains($0) }
        guard words.count == 2, words[0] == "450.5" else { throw Failure() }
        print("floor_milliseconds", floor.sorted()[rounds / 2])
        print("milliseconds", reader.sorted()[rounds / 2])
        print("own_kilobytes", words[1])
    }

    private struct Failure: Error {}

    private static func run(_ command: [String]) throws -> (milliseconds: Double, output: String) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        defer { posix_spawn_file_actions_destroy(&actions) }
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let clock = ContinuousClock()
        let begin = clock.now
        var id: pid_t = 0
        guard posix_spawn(&id, command[0], &actions, nil, &arguments, environ) == 0 else { throw Failure() }
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = max(0, read(ends[0], &bytes, bytes.count))
        var status: Int32 = 0
        waitpid(id, &status, 0)
        let time = clock.now - begin
        close(ends[0])
        guard status == 0 else { throw Failure() }
        return (time / .milliseconds(1), String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    private static func ownKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line?.split { " \t".contains($0) }.dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
