import Testing

/// The library products.
private let products = [
    "RaceLab", "WidgetBridge", "WidgetBridgeClient", "WidgetBridgeReader", "WidgetBridgeTesting",
]

/// Public declarations without documentation.
private func undocumented(in file: SourceFile) -> [String] {
    var found: [String] = []
    /// The end of the public enumeration that contains the line.
    var enumerationEnd: String?
    let lines = file.lines
    for (index, line) in lines.enumerated() {
        let indentation = String(line.prefix { $0 == " " })
        let words = line.dropFirst(indentation.count)
        if String(line) == enumerationEnd { enumerationEnd = nil }
        let isMember = enumerationEnd.map { $0.count + 3 == indentation.count } ?? false
        if words.hasPrefix("public enum ") { enumerationEnd = indentation + "}" }
        guard isMember && words.hasPrefix("case ") || words.hasPrefix("public ") && !isImport(words)
        else { continue }
        let above = lines[..<index].last { !isBegun($0, by: "@") }
        if above.map({ isBegun($0, by: "///") }) != true {
            found.append("\(file.path):\(index + 1): nothing is said of `\(words)`")
        }
    }
    return found
}

private func isBegun(_ line: Substring, by words: String) -> Bool {
    line.drop { $0 == " " }.hasPrefix(words)
}

private func isImport(_ words: Substring) -> Bool { words.hasPrefix("public import ") }

@Suite("Public symbols")
struct PublicSymbolsTests {
    @Test("are all documented")
    func documented() throws {
        for product in products {
            let files = try Project.swiftFiles(in: "Sources/\(product)")
            expectNone(files.flatMap(undocumented))
        }
    }

    @Test("are detected without documentation")
    func noticed() {
        let text = """
            public import Model
            /// A kind.
            public enum Kind {
                /// One.
                case one
                case two
            }
            enum Own { case three }
            /// Told.
            @discardableResult
            public func told() {}
            @discardableResult
            public func untold() {}
            """
        let found = undocumented(in: SourceFile(path: "A.swift", text: text))
        #expect(
            found == [
                "A.swift:6: nothing is said of `case two`",
                "A.swift:13: nothing is said of `public func untold() {}`",
            ]
        )
    }
}
