import DatabaseStore
import FileSystem
import Glibc
import Model
import Replica

// The bridge's part in tests of DatabaseStore, in a process that can be killed, or has fewer rights.
//
//     DatabaseProgram read CONTAINER FILE
//     DatabaseProgram swap CONTAINER FILE OLD NEW
//
// `FILE` is a database of TinyBase beneath the directory CONTAINER. `swap` prints `kept` within the
// transaction, and goes on after a line of input. The last line is the outcome.

func say(_ line: String) {
    print(line)
    fflush(nil)
}

func run(_ arguments: [String]) throws {
    let container = arguments[2]
    guard let path = RelativePath(arguments[3]) else { return say("no path") }
    let files = try LinuxFileSystem(app: container, group: container, state: container)
    let store = DatabaseStore(files, container: container, maxBytes: 1 << 20, syncs: true)
    let document = DatabaseDocument.tinyBase(Location(Root.app, path))
    switch arguments[1] {
    case "read":
        let reading = try store.read(document, unless: nil, mayWait: false, isKnown: true)
        guard case .content(let content) = reading else { return say("\(reading)") }
        say(String(decoding: content.bytes, as: UTF8.self))
    default:
        if arguments[1] == "read-and-swap" {
            _ = try store.read(document, unless: nil, mayWait: false, isKnown: true)
            say("read")
            _ = readLine()
        }
        let (old, new) = (Array(arguments[4].utf8), Array(arguments[5].utf8))
        func swap() throws -> DatabaseStore.Outcome {
            try store.swap(document, to: new, over: Digest(of: old)) { _ in
                say("kept")
                _ = readLine()
            }
        }
        var outcome = try swap()
        // The bridge tries again.
        if arguments[1] == "read-and-swap", outcome == .raced { outcome = try swap() }
        say(outcome == .raced ? "raced" : "swapped")
    }
}

do { try run(CommandLine.arguments) } catch { say("\(error)") }
