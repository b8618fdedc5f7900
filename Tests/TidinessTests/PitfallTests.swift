import Testing

/// The 31 measured ways in which a watcher loses something, or reports something wrong.
private let pitfalls: [Int: String] = [
    1: "the queue overflows", 2: "renames are told in two halves", 3: "a tree is moved out",
    4: "a full tree is moved in", 5: "directories are made and written to at once", 6: "watches run out",
    7: "a root is deleted and made again", 8: "a root, or a directory above it, is renamed",
    9: "a directory's name is used again", 10: "watches come and go",
    11: "one directory is reached by two paths", 12: "a hard link elsewhere is written to",
    13: "links, loops, and directories swapped for links", 14: "something is mounted over a directory",
    15: "not every change closes a file", 16: "a file is written by mmap", 17: "a file has no name yet",
    18: "a deleted file is still open", 19: "two names are exchanged", 20: "a rename replaces a file",
    21: "file systems without events", 22: "overlays", 23: "bind mounts", 24: "the longest names",
    25: "looking raises events", 26: "its own writes raise events", 27: "is the stream drained?",
    28: "storms", 29: "paths that are too long", 30: "a slow reader", 31: "a directory cannot be read",
]

/// The numbers in the names of functions, with their files.
private func numbered(in files: [SourceFile]) -> [Int: Set<String>] {
    var found: [Int: Set<String>] = [:]
    for file in files where file.text.contains("pitfall") {
        let words = SwiftCode(file.text).words.map(\.text)
        for (word, name) in zip(words, words.dropFirst()) where word == "func" {
            guard let match = name.firstMatch(of: /^pitfall(\d\d)_/), let number = Int(match.1) else {
                continue
            }
            found[number, default: []].insert(file.path)
        }
    }
    return found
}

@Suite("The pitfalls of watching")
struct PitfallTests {
    @Test("each have a test with their number, for the agent or the helper")
    func each() throws {
        let tests = numbered(in: try Project.swiftFiles(in: "Tests"))
        for (number, name) in pitfalls.sorted(by: { $0.key < $1.key }) {
            #expect(tests[number] != nil, "no test of pitfall \(number): \(name)")
        }
        #expect(pitfalls.count == 31 && tests.count == 31)
    }

    @Test("are found by the names of functions only")
    func caught() {
        let file = SourceFile(
            path: "Tests/A.swift",
            text: "@Test func pitfall07_a() {}\n// func pitfall08_b\nlet pitfall09_c = 1\n"
        )
        #expect(numbered(in: [file]) == [7: ["Tests/A.swift"]])
    }
}
