import FoundationEssentials

/// A workflow command of GitHub Actions, which annotates a line of the change that a workflow checks.
struct Annotation: Hashable {
    enum Level: String { case error, warning }

    var level: Level
    /// Relative to the root of the repository; `nil`: it is about no file.
    var file: String?
    var title: String
    var message: String

    /// One line: `::error file=a.yaml,line=1,title=lost-update::…`.
    var line: String {
        let place = file.map { "file=\(Self.escapedProperty($0)),line=1," } ?? ""
        let title = Self.escapedProperty(title)
        return "::\(level.rawValue) \(place)title=\(title)::\(Self.escaped(message))"
    }

    private static func escaped(_ text: String) -> String { escaped(text, "%\r\n") }
    private static func escapedProperty(_ text: String) -> String { escaped(text, "%\r\n:,") }

    /// By scalars, since CR and LF together are one character.
    private static func escaped(_ text: String, _ special: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if special.unicodeScalars.contains(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Where a file is in the repository that a workflow has checked out.
struct AnnotatedFile {
    /// The directory of the command, and the root of the repository, if it is known.
    let directory: String
    let root: String?

    /// GitHub Actions pass the root in a variable.
    static var current: AnnotatedFile {
        AnnotatedFile(
            directory: FileManager.default.currentDirectoryPath,
            root: ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"]
        )
    }

    /// As GitHub finds it: relative to the root, if it is inside.
    func path(of file: String) -> String {
        guard let root, !root.isEmpty else { return file }
        let whole = file.hasPrefix("/") ? file : "\(directory)/\(file)"
        let above = root.hasSuffix("/") ? root : root + "/"
        return whole.hasPrefix(above) ? String(whole.dropFirst(above.count)) : file
    }
}
