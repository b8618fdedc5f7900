import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StoreReplica
import Stores

/// Documents under keys of one file, beside others that are files.
final class StoreGround: DiskGround {
    static let file = path("Library/prefs.lines")
    static let names = [
        "a.json", "a.json2", "b.json", "c.json", "d.json", "bc.json", "b/a.json", "b/c/a.json", "b/c/a.json2",
        "b/other.json", "large.json", "most.json",
    ]
    static let layout = StoreLayout(
        Dictionary(
            uniqueKeysWithValues: names.map { (path($0), .keyed(LineFile.document(under: $0, in: file))) }
        )
    )

    let disk = SimulatedDisk()
    var replica: any Replica

    init(canExchange: Bool) {
        disk.canExchange = canExchange
        replica = StoreReplica(.app, of: disk, at: "", BothSides(app: Self.layout, group: StoreLayout()))
    }

    private var place: Location { Location(Side.app, Self.file) }

    var lines: LineFile {
        let bytes = disk.world.read(place) ?? []
        return (try? LineFile(parsing: bytes, limits: StoreLimits())) ?? LineFile()
    }

    func set(_ key: String, _ value: StoreValue?) {
        guard let bytes = try? lines.replacing([ExactText(key): value]) else { return }
        saveFile(Self.file, bytes)
    }

    func save(_ path: RelativePath, _ bytes: [UInt8]) {
        guard Self.layout[path] != nil else { return saveFile(path, bytes) }
        set(path.description, .data(bytes))
    }

    func delete(_ path: RelativePath) { set(path.description, nil) }

    func saved(_ path: RelativePath) -> [UInt8]? {
        if case .data(let bytes) = lines[path.description] { bytes } else { nil }
    }
}

/// A key and a value in hexadecimal digits on each line.
struct LineFile: KeyedFile {
    private var lines: [(key: String, bytes: [UInt8])] = []

    init() {}

    init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard parts.count == 2, let value = Self.bytes(parts[1]) else {
                throw .notTheFormat(.asyncStorage)
            }
            lines.append((String(decoding: parts[0], as: UTF8.self), value))
        }
    }

    private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = digits
        while !rest.isEmpty {
            guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    var keys: [String] { lines.map(\.key) }
    subscript(key: String) -> StoreValue? { lines.first { $0.key == key }.map { .data($0.bytes) } }

    func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        var lines = lines.filter { changes[ExactText($0.key)] == nil }
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            if case .data(let bytes) = value { lines.append((key.text, bytes)) }
        }
        return lines.flatMap { line in
            let digits = line.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return Array("\(line.key) \(digits)\n".utf8)
        }
    }

    static func document(under key: String, in file: RelativePath, hasBackup: Bool = false) -> KeyedDocument {
        KeyedDocument(
            file: file,
            format: KeyedFormat(
                hasBackup: hasBackup,
                parse: { (bytes) throws(StoreFault) in try LineFile(parsing: bytes, limits: StoreLimits()) },
                empty: { LineFile() }
            ),
            keys: [key],
            read: { (lines, _) throws(StoreProblem) in
                if case .data(let bytes) = lines[key] { bytes } else { nil }
            },
            changes: { (bytes) throws(StoreProblem) in [ExactText(key): bytes.map { .data($0) }] }
        )
    }
}
