/// Composes a binary property list as the platform does: each text, number and date once, all sizes minimal.
struct BinaryPropertyListWriter {
    /// A value of the new file.
    enum Source {
        /// An object of the old file, which keeps its bytes.
        case copied(Int)
        /// A value, with the key under which it is, for faults.
        case new(StoreValue, key: String)
    }

    /// Hashed as a whole: an array hashes each byte for itself, which takes ten times as long.
    private struct PlainBytes: Hashable {
        var bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    private enum Object {
        case plain([UInt8])
        /// A part of the old file.
        case copied(Range<Int>)
        /// The count of a dictionary is half that of its references.
        case container(type: UInt8, count: Int, references: [Int])
    }

    private let table: BinaryObjectTable?
    private var objects: [Object] = []
    /// The new texts, numbers and dates, and their sizes. The old ones are few to be compared with, and many
    /// to be hashed.
    private var numbers: [PlainBytes: Int] = [:]
    private var sizes: Set<Int> = []
    /// The objects that were copied from the old file, by their old numbers.
    private var copies: [Int?]

    /// So many new values are compared with all old ones.
    private static let mostCompared = 32
    private static let (arrayType, dictionaryType): (UInt8, UInt8) = (0xA0, 0xD0)

    init(copyingFrom table: BinaryObjectTable? = nil) {
        self.table = table
        copies = Array(repeating: nil, count: table?.trailer.count ?? 0)
    }

    mutating func addDictionary(keys: [Source], values: [Source]) throws(StoreFault) -> Int {
        try addContainer(Self.dictionaryType, count: keys.count, keys + values)
    }

    private mutating func addContainer(
        _ type: UInt8,
        count: Int,
        _ sources: [Source]
    ) throws(StoreFault) -> Int {
        let number = objects.count
        // The platform's order: a container precedes what it contains.
        objects.append(.container(type: type, count: count, references: []))
        var references: [Int] = []
        references.reserveCapacity(sources.count)
        for source in sources { references.append(try add(source)) }
        objects[number] = .container(type: type, count: count, references: references)
        return number
    }

    private mutating func add(_ source: Source) throws(StoreFault) -> Int {
        switch source {
        case .copied(let reference): try addCopy(of: reference)
        case .new(let value, let key): try add(value, key: key)
        }
    }

    private mutating func add(plain bytes: [UInt8]) -> Int {
        let key = PlainBytes(bytes: bytes)
        if let number = numbers[key] { return number }
        let isCompared = numbers.count < Self.mostCompared
        let known = table.flatMap { table in
            !isCompared
                ? nil
                : objects.firstIndex {
                    if case .copied(let range) = $0 {
                        range.count == bytes.count && table.bytes[range].elementsEqual(bytes)
                    } else {
                        false
                    }
                }
        }
        let number = known ?? objects.count
        numbers[key] = number
        sizes.insert(bytes.count)
        if known == nil { objects.append(.plain(bytes)) }
        return number
    }

    private mutating func add(_ range: Range<Int>, of table: BinaryObjectTable) -> Int {
        if sizes.contains(range.count), let number = numbers[PlainBytes(bytes: Array(table.bytes[range]))] {
            return number
        }
        objects.append(.copied(range))
        return objects.count - 1
    }

    private mutating func addCopy(of reference: Int) throws(StoreFault) -> Int {
        guard let table else { throw .malformed(.binaryPropertyList, .offset(0), .reference(reference)) }
        if let copy = copies[reference] { return copy }
        let object = try table.object(reference)
        let number: Int
        switch object.kind {
        case .plain, .data, .asciiString, .utf16String:
            number = add(object.range, of: table)
        case .array:
            let sources = try table.references(of: object).map(Source.copied)
            number = try addContainer(Self.arrayType, count: sources.count, sources)
        case .dictionary:
            let sources = try table.references(of: object).map(Source.copied)
            number = try addContainer(Self.dictionaryType, count: sources.count / 2, sources)
        }
        copies[reference] = number
        return number
    }

    private mutating func add(_ value: StoreValue, key: String) throws(StoreFault) -> Int {
        switch value {
        case .array(let values):
            return try addContainer(Self.arrayType, count: values.count, values.map { .new($0, key: key) })
        case .dictionary(let values):
            // Sorted, because a dictionary has another order in each process.
            let pairs = values.sorted { $0.key < $1.key }
            return try addDictionary(
                keys: pairs.map { .new(.string($0.key.text), key: key) },
                values: pairs.map { .new($0.value, key: key) }
            )
        default:
            guard let bytes = BinaryValueBytes.bytes(of: value) else {
                throw .unrepresentable(.binaryPropertyList, key: key, value.type)
            }
            return add(plain: bytes)
        }
    }

    // MARK: - The file

    /// The file of these objects, the first of which contains all others; without objects, a file without
    /// keys.
    func file() -> [UInt8] {
        let objects =
            objects.isEmpty ? [.container(type: Self.dictionaryType, count: 0, references: [])] : objects
        let referenceSize = BinaryTrailer.size(for: objects.count)
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(file.count)
            switch object {
            case .plain(let bytes): file += bytes
            case .copied(let range): if let table { file += table.bytes[range] }
            case .container(let type, let count, let references):
                BinaryValueBytes.appendMarker(type, count: count, to: &file)
                for reference in references {
                    file.append(bigEndian: UInt64(reference), size: referenceSize)
                }
            }
        }
        let tableOffset = file.count
        let offsetSize = BinaryTrailer.size(for: tableOffset)
        for offset in offsets { file.append(bigEndian: UInt64(offset), size: offsetSize) }
        file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, 0, tableOffset] { file.append(bigEndian: UInt64(number), size: 8) }
        return file
    }
}
