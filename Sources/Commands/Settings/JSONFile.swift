import ArgumentParser
import Documents

/// The limits for reading a JSON file.
struct JSONLimitOptions: ParsableArguments {
    @Option(help: "Refuse files that are larger than this, as `8MiB`.", transform: ByteCount.parsed)
    var maxDocument: ByteCount?

    @Option(help: "Refuse files that are nested deeper than this.", transform: PositiveNumber.parsed)
    var maxDepth: PositiveNumber?

    var limits: JSONLimits {
        var limits = JSONLimits()
        if let maxDocument { limits.maxBytes = maxDocument.bytes }
        if let maxDepth { limits.maxDepth = maxDepth.value }
        return limits
    }
}

/// A JSON document from the command line.
struct JSONFile {
    var path: String
    var json: JSON

    init(_ path: String, _ options: JSONLimitOptions) throws(JSONFileError) {
        self.path = path
        let file: NamedFile
        do throws(NamedFileError) {
            file = try NamedFile(path)
        } catch {
            throw .unreadable(error)
        }
        do throws(JSONError) {
            json = try JSON(parsing: file.bytes, limits: options.limits)
        } catch {
            throw .notJSON(path, error)
        }
    }

    /// Reads several files. At most one of them can be standard input.
    static func all(
        _ paths: String...,
        options: JSONLimitOptions,
        for command: String
    ) throws -> [JSONFile] {
        guard paths.count(where: { $0 == "-" }) < 2 else {
            throw UsageError.arguments("only one file can be standard input", command: command)
        }
        return try paths.map { path throws(JSONFileError) in try JSONFile(path, options) }
    }
}

/// A JSON file cannot be used by the command.
enum JSONFileError: Error, Hashable {
    case unreadable(NamedFileError)
    case notJSON(String, JSONError)
    /// The file is not a patch, or does not fit the document.
    case patch(String, PatchError)
    /// A merge patch cannot set a value to `null`, or distinguish duplicate keys.
    case noMergePatch(String)
    /// Objects that parsers may read differently, such as those with duplicate keys, or a
    /// result that is too large.
    case unmergeable([String], DocumentError)
    case untranslatable(String, DocumentError)
    case newerVersion(String, Int)
    case unreadableVersion(String, VersionFault)
}
