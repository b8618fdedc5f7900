/// The objects of a binary property list, which refer to each other by number.
struct BinaryObjectTable: Sendable {
    let bytes: [UInt8]
    let trailer: BinaryTrailer

    static let magic = Array("bplist".utf8)

    /// Of a file without keys: an empty dictionary.
    static let empty = BinaryObjectTable(bytes: BinaryPropertyListWriter().file(), trailer: .empty)

    private init(bytes: [UInt8], trailer: BinaryTrailer) { (self.bytes, self.trailer) = (bytes, trailer) }

    init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {
        guard bytes.count <= limits.maxBytes else {
            throw .tooLarge(bytes: bytes.count, limit: limits.maxBytes)
        }
        guard bytes.starts(with: Self.magic) else { throw .notTheFormat(.binaryPropertyList) }
        guard bytes.count >= BinaryTrailer.start else {
            throw .malformed(.binaryPropertyList, .offset(bytes.count), .endOfFile)
        }
        // The platform reads `bplist00` to `bplist0f` alike, and writes the first.
        guard bytes[6] == UInt8(ascii: "0") else {
            let version = String(decoding: bytes[..<8], as: UTF8.self)
            throw .malformed(.binaryPropertyList, .offset(6), .version(version))
        }
        trailer = try BinaryTrailer(of: bytes)
        self.bytes = bytes
        guard trailer.count <= limits.maxValues else { throw .tooManyValues(limit: limits.maxValues) }
        for reference in 0..<trailer.count where offset(of: reference) >= trailer.tableOffset {
            throw fault(.reference(reference), at: entry(of: reference))
        }
    }

    func fault(_ detail: StoreFault.Detail, at offset: Int) -> StoreFault {
        .malformed(.binaryPropertyList, .offset(offset), detail)
    }

    private func entry(of reference: Int) -> Int { trailer.tableOffset + reference * trailer.offsetSize }

    /// Where an object begins; behind all objects if the table's entry is too large.
    func offset(of reference: Int) -> Int {
        let offset = bytes.bigEndian(at: entry(of: reference), size: trailer.offsetSize)
        return Int(min(offset, UInt64(trailer.tableOffset)))
    }

    // MARK: - What an object contains

    /// The objects that an array or a dictionary refers to.
    func references(of object: BinaryObject) throws(StoreFault) -> [Int] {
        var references: [Int] = []
        references.reserveCapacity(object.content.count / trailer.referenceSize)
        for offset in stride(
            from: object.content.lowerBound,
            to: object.content.upperBound,
            by: trailer.referenceSize
        ) {
            let reference = bytes.bigEndian(at: offset, size: trailer.referenceSize)
            guard reference < trailer.count else {
                throw fault(.reference(Int(clamping: reference)), at: offset)
            }
            references.append(Int(reference))
        }
        return references
    }

    /// `nil` if the object is not a string.
    func string(_ object: BinaryObject) throws(StoreFault) -> String? {
        let content = object.content
        switch object.kind {
        case .asciiString:
            if let offset = bytes[content].firstIndex(where: { $0 >= 0x80 }) {
                throw fault(.notA(.string), at: offset)
            }
            return String(decoding: bytes[content], as: UTF8.self)
        case .utf16String:
            let units = stride(from: content.lowerBound, to: content.upperBound, by: 2).map { offset in
                UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw fault(.notA(.string), at: object.range.lowerBound)
            }
            return text
        case .plain, .data, .array, .dictionary: return nil
        }
    }

    func key(_ reference: Int) throws(StoreFault) -> String {
        let object = try object(reference)
        guard let key = try string(object) else {
            throw fault(.expected("a string as key"), at: object.range.lowerBound)
        }
        return key
    }

    /// A value with all that it contains. Only for what `BinaryObjectCheck` has passed, since it would follow
    /// a cycle without end.
    func value(_ reference: Int) throws(StoreFault) -> StoreValue {
        let object = try object(reference)
        switch object.kind {
        case .plain(let value): return value
        case .data: return .data(Array(bytes[object.content]))
        case .asciiString, .utf16String: return .string(try string(object) ?? "")
        case .array:
            var values: [StoreValue] = []
            for element in try references(of: object) { values.append(try value(element)) }
            return .array(values)
        case .dictionary:
            let references = try references(of: object)
            let count = references.count / 2
            var values = [ExactText: StoreValue](minimumCapacity: count)
            for index in 0..<count {
                values[ExactText(try key(references[index]))] = try value(references[count + index])
            }
            return .dictionary(values)
        }
    }
}
