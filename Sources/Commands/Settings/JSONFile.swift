import ArgumentParser
import Documents

/// How much of a JSON file is read.
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

/// A JSON document that a person named on the command line.
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

    /// Several, of which standard input can be one.
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

/// What a command asks of JSON files cannot be done with them.
enum JSONFileError: Error, Hashable {
    case unreadable(NamedFileError)
    case notJSON(String, JSONError)
    /// The file is no patch, or not one for this document.
    case patch(String, PatchError)
    /// A merge patch cannot say that something is `null`, or tell keys apart that are the same.
    case noMergePatch(String)
    /// Objects that two readers read differently, or too large a result.
    case unmergeable([String], DocumentError)
    case untranslatable(String, DocumentError)
    case newerVersion(String, Int)
    case unreadableVersion(String, VersionFault)
}
