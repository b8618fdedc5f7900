import ArgumentParser
import Documents
import FileSystem
import Glibc
import Model
import StoreReplica

/// Which store is meant, and how it is read.
struct StoreOptions: ParsableArguments {
    @Argument(help: "The file of the store.", completion: .file())
    var file: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The file's format, if its bytes do not say it.", valueName: "format")
    )
    var format: StoreFormat?

    @Option(help: "With --as flutter: what each key begins with. (default: \(StoreFormat.flutterPrefix))")
    var prefix: String?

    @Option(help: "The table of a database. (default: the one that TinyBase or AsyncStorage keeps)")
    var table: String?

    @Option(help: "The column of the keys. (default: \(Self.tinyBase.keyColumn))")
    var keyColumn: String?

    @Option(help: "The column of the values. (default: \(Self.tinyBase.valueColumn))")
    var valueColumn: String?

    @Option(
        help: "Wait this long for another program that has locked the store. (default: 5s)",
        transform: TimeSpan.parsed
    )
    var timeout = TimeSpan(.seconds(5))

    private static let tinyBase = StoreTable(name: "tinybase", keyColumn: "_id", valueColumn: "store")

    func validate() throws {
        if prefix != nil, format != .flutter {
            throw ValidationError("--prefix is for --as flutter, whose keys have one")
        }
        if table == nil, keyColumn != nil || valueColumn != nil {
            throw ValidationError("give --table with --key-column and --value-column")
        }
    }

    /// Runs `body`, and names the file in its errors.
    func withStore<Value>(_ body: (StoreFile) throws(StoreFileFault) -> Value) throws(NamedStoreFault)
        -> Value
    {
        do throws(StoreFileFault) { return try body(try store()) } catch {
            throw NamedStoreFault(path: file, fault: error)
        }
    }

    private func store() throws(StoreFileFault) -> StoreFile {
        let slash = file.lastIndex(of: "/")
        let container = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        let name = slash.map { String(file[file.index(after: $0)...]) } ?? file
        guard let path = RelativePath(name) else { throw .noFile }
        let files: LinuxFileSystem
        do throws(FileError) {
            files = try LinuxFileSystem(app: container, group: container, state: container)
        } catch {
            throw .file(error)
        }
        return StoreFile(
            Location(Root.app, path),
            in: files,
            at: container,
            as: format,
            prefix: prefix ?? StoreFormat.flutterPrefix,
            table: namedTable,
            patience: patience
        )
    }

    private var namedTable: StoreTable? {
        table.map {
            StoreTable(
                name: $0,
                keyColumn: keyColumn ?? Self.tinyBase.keyColumn,
                valueColumn: valueColumn ?? Self.tinyBase.valueColumn
            )
        }
    }

    private var patience: StoreFile.Patience {
        let deadline = ContinuousClock.now + timeout.duration
        return StoreFile.Patience(milliseconds: Int(timeout.duration / .milliseconds(1))) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(10_000)
            return true
        }
    }
}

/// An error of a store with the path that a person gave.
struct NamedStoreFault: Error {
    var path: String
    var fault: StoreFileFault
}

extension StoreFormat: ExpressibleByArgument {
    /// Without those that are no format of a single file.
    private static let ofFiles = allCases.filter { $0 != .json && $0 != .expoWidgets }

    init?(argument: String) {
        guard let format = Self.ofFiles.first(where: { $0.rawValue == argument }) else { return nil }
        self = format
    }

    static var allValueStrings: [String] { ofFiles.map(\.rawValue) }
}
