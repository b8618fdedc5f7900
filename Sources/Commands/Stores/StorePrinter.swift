import Documents
import Model
import StoreReplica
import Stores

/// A value of a store, as it is printed.
struct ShownValue {
    var file: String
    var key: String
    var value: StoreValue

    var hash: Digest { Digest(of: value.bytes) }

    /// The bytes of text and data; any other value is a line.
    var bytes: [UInt8] {
        switch value {
        case .string, .data: value.bytes
        default: value.bytes + [0x0A]
        }
    }

    var json: JSONText {
        [
            "file": JSONText(file), "key": JSONText(key), "type": JSONText(value.type.rawValue),
            "value": value.json, "hash": JSONText("\(hash)"),
        ]
    }
}

extension StoreFile.Listing {
    func json(of file: String) -> JSONText {
        [
            "file": JSONText(file), "format": JSONText(format.json), "table": JSONText(format.table),
            "isBackup": JSONText(isBackup), "keys": JSONText(entries.map(\.json)),
        ]
    }

    func text(of file: String, _ printer: TextPrinter) -> String {
        var lines = printer.wrapped("", "\(format.words), \(printer.counted(entries.count, "key"))")
        if isBackup {
            let name = file.withoutControls
            let note =
                "these are the values of \(name).bak: a program is writing \(name), or was ended meanwhile"
            lines += printer.wrapped("", note)
        }
        if !entries.isEmpty {
            let types = entries.map(\.typeWord.utf8.count).max() ?? 0
            let columns = printer.columns.map { max(3 * StoreEntry.least, $0) - types - 4 }
            let widest = columns.map { min(StoreEntry.widest, $0 / 2) } ?? StoreEntry.widest
            let keys = entries.map { $0.shownKey(within: widest) }
            let rest = columns.map { $0 - (keys.map(\.displayWidth).max() ?? 0) } ?? StoreEntry.widest
            let rows = zip(keys, entries).map { [$0, $1.typeWord, $1.shownValue(within: rest)] }
            lines += printer.layout.table(["KEY", "TYPE", "VALUE"], rows, styled: printer.bold)
        }
        return lines.map { "\($0)\n" }.joined()
    }
}

extension StoreFile.Listing.Format {
    fileprivate var json: String {
        switch self {
        case .file(let format): format.rawValue
        case .table: StoreFormat.sqlite.rawValue
        }
    }

    fileprivate var table: String? { if case .table(let name) = self { name } else { nil } }

    fileprivate var words: String {
        switch self {
        case .file(let format): format.rawValue
        case .table(let name): "SQLite database, table \(name.withoutControls)"
        }
    }
}

extension StoreEntry {
    /// Of what may be a megabyte long, in columns.
    fileprivate static let widest = 60
    /// A column of a narrow terminal.
    fileprivate static let least = 12

    fileprivate func shownKey(within width: Int) -> String {
        key.isEmpty ? "\"\"" : key.withoutControls.shortened(to: width)
    }

    fileprivate var typeWord: String {
        if case .value(let value) = content { value.type.rawValue } else { "null" }
    }

    fileprivate func shownValue(within columns: Int) -> String {
        switch content {
        case .value(.data(let bytes)): return "\(bytes.count.grouped) byte\(bytes.count == 1 ? "" : "s")"
        case .value(let value):
            let widest = min(Self.widest, max(Self.least, columns))
            let text = String(decoding: value.bytes.prefix(8 * Self.widest), as: UTF8.self).withoutControls
            if text.displayWidth <= widest, value.bytes.count <= 8 * Self.widest { return text }
            return text.prefix(ofWidth: widest - 1) + "…"
        case .null: return ""
        case .missingFile(let name): return "in the file \(name), which cannot be read"
        }
    }

    fileprivate var json: JSONText {
        guard case .value(let value) = content else {
            return ["key": JSONText(key), "type": "null", "value": .null, "hash": .null]
        }
        return [
            "key": JSONText(key), "type": JSONText(value.type.rawValue), "value": value.json,
            "hash": JSONText("\(Digest(of: value.bytes))"),
        ]
    }
}
