/// A property list in the binary format, `bplist00`.
///
/// All of it is checked when it is parsed; a value is read when it is asked for.
package struct BinaryPropertyList: KeyedFile {
    private let table: BinaryObjectTable
    private let limits: StoreLimits
    package let keys: [String]
    private let entries: [Entry]
    private let places: [ExactText: Int]
    /// What it expands to.
    private let size: (values: Int, bytes: Int)

    /// The objects of a key and its value.
    private struct Entry {
        var key: Int
        var value: Int
    }

    package init() {
        (table, limits, keys, entries, places) = (.empty, StoreLimits(), [], [], [:])
        size = (1, 0)
    }

    package init(parsing bytes: [UInt8], limits: StoreLimits = StoreLimits()) throws(StoreFault) {
        let table = try BinaryObjectTable(parsing: bytes, limits: limits)
        let top = try table.object(table.trailer.top)
        guard case .dictionary = top.kind else {
            throw .notKeyed(.binaryPropertyList, found: Self.type(of: top))
        }
        var check = BinaryObjectCheck(table, limits: limits)
        size = try check.check(table.trailer.top)
        let references = try table.references(of: top)
        let count = references.count / 2
        (self.table, self.limits) = (table, limits)
        (keys, places) = check.keys
        entries = (0..<count).map { Entry(key: references[$0], value: references[count + $0]) }
    }

    private static func type(of object: BinaryObject) -> StoreType {
        switch object.kind {
        case .plain(let value): value.type
        case .data: .data
        case .asciiString, .utf16String: .string
        case .array: .array
        case .dictionary: .dictionary
        }
    }

    /// Throws nothing that it could hide: the value was checked when the file was parsed.
    package subscript(key: String) -> StoreValue? {
        places[ExactText(key)].flatMap { try? table.value(entries[$0].value) }
    }

    package func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        var newKeys: [BinaryPropertyListWriter.Source] = []
        var values: [BinaryPropertyListWriter.Source] = []
        // A few of many keys change: the others are not looked up.
        var changed = changes.keys.compactMap { places[$0] }.sorted()[...]
        for (index, entry) in entries.enumerated() {
            if changed.first != index {
                values.append(.copied(entry.value))
            } else {
                changed.removeFirst()
                guard let value = changes[ExactText(keys[index])] ?? nil else { continue }
                values.append(.new(value, key: keys[index]))
            }
            newKeys.append(.copied(entry.key))
        }
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) where places[key] == nil {
            guard let value else { continue }
            newKeys.append(.new(.string(key.text), key: key.text))
            values.append(.new(value, key: key.text))
        }
        var writer = BinaryPropertyListWriter(copyingFrom: table)
        _ = try writer.addDictionary(keys: newKeys, values: values)
        let file = writer.file()
        // A file beyond the limits could not be read again.
        if file.count > limits.maxBytes || !isWithinLimits(changes) {
            _ = try Self(parsing: file, limits: limits)
        }
        return file
    }

    /// Whether a file with these changes is sure to be, even if each of them is an addition.
    private func isWithinLimits(_ changes: StoreChanges) -> Bool {
        var (values, bytes) = size
        for (key, value) in changes {
            guard let value else { continue }
            switch value {
            case .array, .dictionary: return false
            case .string(let text): bytes += 2 * text.utf16.count
            case .data(let data): bytes += data.count
            default: break
            }
            (values, bytes) = (values + 1, bytes + key.text.utf8.count)
        }
        return values <= limits.maxValues / 2 && bytes <= limits.maxBytes / 2
    }
}
