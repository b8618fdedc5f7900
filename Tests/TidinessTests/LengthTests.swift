import Testing

private enum Limit {
    static let linesOfFile = 400
    static let linesOfFunction = 40
    static let columns = 110
}

private func tooLong(_ files: [SourceFile]) -> [String] {
    files.flatMap { file in
        var found: [String] = []
        let lines = file.lines
        // The text after the last line end is not a line.
        let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
        if count > Limit.linesOfFile { found.append("\(file.path): \(count) lines") }
        let code = SwiftCode(file.text).lines
        for (number, line) in zip(1..., lines)
        where line.count > Limit.columns && !holdsText(line, code: code[number - 1]) {
            found.append("\(file.path):\(number): \(line.count) columns")
        }
        return found
    }
}

/// A literal cannot be broken; the formatter has broken everything else.
private func holdsText(_ line: Substring, code: Substring) -> Bool {
    let isInsideLiteral = code.allSatisfy { $0 == " " } && !line.contains("//")
    return line.contains("\"") || isInsideLiteral
}

private func longFunctions(in file: SourceFile) -> [String] {
    functions(in: SwiftCode(file.text)).filter { $0.lines > Limit.linesOfFunction }
        .map { "\(file.path):\($0.line): \($0.name) has \($0.lines) lines" }
}

private struct Function: Equatable {
    var name: String
    var line: Int
    var lines: Int
}

private func functions(in code: SwiftCode) -> [Function] {
    let words = code.words
    return words.indices.compactMap { index in
        let word = words[index]
        guard ["func", "init", "deinit", "subscript"].contains(word.text),
            !isMember(word, in: code),
            let body = bodyLines(from: word.start + word.text.utf8.count, in: code)
        else { return nil }
        let named = word.text == "func" && index + 1 < words.count
        return Function(name: named ? words[index + 1].text : word.text, line: word.line, lines: body)
    }
}

/// `.init` and `self.init` are calls, not declarations.
private func isMember(_ word: SwiftCode.Word, in code: SwiftCode) -> Bool {
    word.start > 0 && code.bytes[word.start - 1] == UInt8(ascii: ".")
}

private let declarations: Set = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "associatedtype", "typealias",
]

/// The lines from a declaration's keyword to the end of its body; `nil` if it has none, as in a protocol.
private func bodyLines(from start: Int, in code: SwiftCode) -> Int? {
    var parentheses = 0
    var braces = 0
    var lines = 1
    var word = ""
    for byte in code.bytes[start...] {
        if SwiftCode.isWordByte(byte) {
            word.unicodeScalars.append(Unicode.Scalar(byte))
            continue
        }
        if braces == 0, parentheses == 0, declarations.contains(word) { return nil }
        word = ""
        switch byte {
        case UInt8(ascii: "\n"): lines += 1
        case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += braces == 0 ? 1 : 0
        case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= braces == 0 ? 1 : 0
        case UInt8(ascii: "{") where parentheses == 0: braces += 1
        case UInt8(ascii: "}") where parentheses == 0:
            braces -= 1
            if braces == 0 { return lines }
            if braces < 0 { return nil }
        default: break
        }
    }
    return nil
}

@Suite("Lengths")
struct LengthTests {
    @Test("of files and lines are within bounds")
    func filesAndLines() throws {
        let files = try Project.files(in: ["Sources", "Tests"], endingIn: [".swift", ".c", ".h"])
        #expect(!files.isEmpty)
        expectNone(tooLong(files))
    }

    @Test("of functions are within bounds")
    func functionsAreShort() throws {
        expectNone(try Project.swiftFiles(in: "Sources", "Tests").flatMap(longFunctions))
    }

    @Test("beyond the bounds are detected")
    func caught() {
        let lines = SourceFile(path: "A.swift", text: String(repeating: "x\n", count: 401))
        #expect(tooLong([lines]) == ["A.swift: 401 lines"])
        let columns = SourceFile(path: "A.swift", text: "\n" + String(repeating: "é", count: 111))
        #expect(tooLong([columns]) == ["A.swift:2: 111 columns"])
        let most = SourceFile(
            path: "A.swift",
            text: String(repeating: String(repeating: "é", count: 110) + "\n", count: 400)
        )
        #expect(tooLong([most]) == [])
    }

    @Test(
        "of functions are counted from keyword to closing brace, whatever strings and comments contain"
    )
    func counted() {
        let text = """
            protocol P {
                func required(_ a: Int) throws -> [String: Int]
                var value: Int { get }
            }
            struct S {
                init(then: () -> Void = { print("}") }) {
                    self.init() // }
                }
                func long(
                    a: Int
                ) -> String {
                    /* { */
                    return "\\("{" + #"{"#)"
                }
            }
            """
        #expect(
            functions(in: SwiftCode(text)) == [
                Function(name: "init", line: 6, lines: 3), Function(name: "long", line: 9, lines: 6),
            ]
        )
    }

    @Test("of a function with 41 lines are detected")
    func longFunction() {
        let body = String(repeating: "    step()\n", count: 39)
        let file = SourceFile(path: "A.swift", text: "func much() {\n\(body)}\n")
        #expect(longFunctions(in: file) == ["A.swift:1: much has 41 lines"])
    }
}
