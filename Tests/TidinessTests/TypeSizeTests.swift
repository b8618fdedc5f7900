import Testing

/// The limits on files and functions hide how large a type is, and a reader has to know the whole type,
/// because each of its methods can access all of its state.
private enum Limit {
    static let lines = 600
    static let files = 6
}

/// Types beyond the limits, with the lines and files that they may have. A number here only goes down.
private let known: [String: (lines: Int, files: Int)] = [
    "BridgeRuntime.Bridge": (640, 7),
    "BridgeRuntime.BridgeCore": (590, 7),
    "Commands.TextPrinter": (548, 8),
    "Documents.DocumentRule": (520, 11),
    "Documents.JSON": (332, 10),
    "FileSystem.LinuxFileSystem": (666, 9),
    "FileSystemSimulation.SimulatedDisk": (1_021, 7),
    "RaceLab.Checker": (684, 6),
    "RaceLab.ObservedHistory": (666, 3),
    "RaceLab.ScheduleExecutor": (1_130, 7),
    "StateStore.SQLiteJournal": (528, 4),
    "SyncEngine.DocumentRule": (230, 8),
    // Half of it forwards the members of `Replica` to a directory.
    "StoreReplica.StoreReplica": (1_329, 9),
    "SyncEngine.Engine": (4_338, 36),
    "WatchHelper.Session": (658, 6),
    "WidgetBridge.Bridge": (476, 7),
]

private struct TypeSize: Equatable {
    var name: String
    var lines: Int
    var files: Int
}

/// The types of each module with all their extensions, by `Module.Type`.
private func types(in files: [SourceFile]) -> [TypeSize] {
    var lines: [String: Int] = [:]
    var places: [String: Set<String>] = [:]
    for file in files {
        for (name, count) in declarations(in: file) {
            lines["\(file.module).\(name)", default: 0] += count
            places["\(file.module).\(name)", default: []].insert(file.path)
        }
    }
    return lines.map { TypeSize(name: $0.key, lines: $0.value, files: places[$0.key]?.count ?? 0) }
        .sorted { $0.name < $1.name }
}

/// A declaration at the left margin, up to the closing brace there, as the formatter places it.
private func declarations(in file: SourceFile) -> [(name: String, lines: Int)] {
    let kinds: Set = ["struct", "class", "enum", "actor", "extension"]
    let before: Set = ["package", "public", "private", "fileprivate", "final", "indirect"]
    var found: [(name: String, lines: Int)] = []
    var isOpen = false
    for line in SwiftCode(file.text).lines {
        let words = line.split { " :<{".contains($0) }.drop { before.contains(String($0)) }
        if !line.hasPrefix(" "), let kind = words.first, kinds.contains(String(kind)), words.count > 1 {
            found.append((String(words[words.startIndex + 1]), 0))
            isOpen = true
        }
        guard isOpen else { continue }
        found[found.count - 1].lines += 1
        if line.hasPrefix("}") || line.hasSuffix("}") && found[found.count - 1].lines == 1 { isOpen = false }
    }
    return found
}

private func tooLarge(_ types: [TypeSize], known: [String: (lines: Int, files: Int)]) -> [String] {
    types.compactMap { type in
        let limit = known[type.name] ?? (Limit.lines, Limit.files)
        guard type.lines > limit.lines || type.files > limit.files else { return nil }
        return "\(type.name) has \(type.lines) lines in \(type.files) files"
    }
}

@Suite("Type sizes")
struct TypeSizeTests {
    @Test("are within bounds")
    func withinBounds() throws {
        let types = types(in: try Project.swiftFiles(in: "Sources"))
        expectNone(tooLarge(types, known: known))
        // When a type becomes smaller, its limit does as well.
        for (name, size) in known {
            let type = types.first { $0.name == name }
            #expect(
                type.map { size.lines - $0.lines < 40 && size.files == $0.files } == true,
                "\(name) has \(type?.lines ?? 0) lines in \(type?.files ?? 0) files: set that here"
            )
        }
    }

    @Test("include all extensions of a type")
    func counted() {
        let body = String(repeating: "    var a = 1\n", count: 299)
        let files = (0..<2).map { number in
            SourceFile(path: "Sources/M/\(number).swift", text: "extension A {\n\(body)}\n\nstruct B {}\n")
        }
        #expect(tooLarge(types(in: files), known: [:]) == ["M.A has 602 lines in 2 files"])
        #expect(tooLarge(types(in: files), known: ["M.A": (602, 2)]) == [])
        #expect(tooLarge(types(in: files), known: ["M.A": (602, 1)]) == ["M.A has 602 lines in 2 files"])
    }
}
