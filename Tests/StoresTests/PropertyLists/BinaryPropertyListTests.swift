import Stores
import Testing

@Suite("A binary property list")
struct BinaryPropertyListTests {
    private typealias File = BinaryPropertyList

    @Test("keeps every type and its extremes")
    func types() throws {
        let values = PropertyListSamples.all.merging(PropertyListSamples.binaryOnly) { $1 }
        let read = try File(parsing: try File.file(values))
        #expect(Set(read.keys) == Set(values.keys))
        for (key, value) in values { #expect(read[key] == value, "\(key)") }
        #expect(StoreValue.text(read.values) == StoreValue.text(values))
    }

    @Test("keeps random documents", arguments: 0..<40)
    func random(_ seed: UInt64) throws {
        let values = PropertyListSamples.random(seed)
        #expect(try File(parsing: try File.file(values)).values == values)
    }

    @Test("tells keys apart that look the same")
    func canonicalEquivalence() throws { try PropertyListSamples.checkLookalikes(File.self) }

    @Test("without keys is as the platform writes it")
    func empty() throws {
        let empty: [UInt8] =
            Array("bplist00".utf8) + [0xD0, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
            + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 9]
        #expect(try File().replacing([:]) == empty)
        #expect(try File(parsing: empty).keys == [])
    }

    @Test("has each text and number once, keys before values, all sizes minimal")
    func form() throws {
        let bytes = try File.file([
            "a": .integer(300), "b": .array([.integer(300), .string("a"), .real(300)]),
        ])
        let objects: [[UInt8]] = [
            [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0x11, 0x01, 0x2C], [0xA3, 3, 1, 5],
            [0x23, 0x40, 0x72, 0xC0, 0, 0, 0, 0, 0],
        ]
        let body = Array("bplist00".utf8) + objects.flatMap(\.self)
        #expect(bytes.prefix(body.count) == body[...])
        #expect(bytes.dropFirst(body.count).prefix(6) == [8, 13, 15, 17, 20, 24])
        #expect(bytes.count == body.count + 6 + 32)
    }

    @Test("has references of two bytes from 256 objects on", arguments: [254, 255, 256, 300])
    func manyObjects(_ count: Int) throws {
        let values = ["a": StoreValue.array((0..<count).map { .integer(Int64($0)) })]
        let bytes = try File.file(values)
        #expect(bytes[bytes.count - 25] == (count + 3 < 256 ? 1 : 2))
        #expect(try File(parsing: bytes).values == values)
    }

    @Test("keeps the order of its keys, and has new ones at the end")
    func order() throws {
        var file = try File(parsing: try File.file(["b": .integer(1)]))
        for key in ["z", "a", "m"] {
            file = try File(parsing: try file.replacing([ExactText(key): .bool(true)]))
        }
        #expect(file.keys == ["b", "z", "a", "m"])
        let changed = try File(parsing: try file.replacing(["z": nil, "a": .real(2), "c": .integer(3)]))
        #expect(changed.keys == ["b", "a", "m", "c"])
        #expect(changed.values == ["b": .integer(1), "a": .real(2), "m": .bool(true), "c": .integer(3)])
        #expect(try file.replacing(["absent": nil]) == file.replacing([:]))
    }

    @Test("keeps the bytes of what does not change: the size of reals, the order in dictionaries")
    func untouched() throws {
        let objects: [[UInt8]] = [
            [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0xD2, 5, 1, 6, 7], [0x22, 0x3F, 0xC0, 0, 0],
            [0x51, 0x7A], [0x13, 0, 0, 0, 0, 0, 0, 0, 5], [0x80, 9],
        ]
        let bytes = bplist(objects)
        let file = try File(parsing: bytes)
        #expect(file["b"] == .real(1.5))
        #expect(file["a"] == .dictionary(["z": .integer(5), "a": .uid(9)]))
        let changed = try file.replacing(["c": .integer(1)])
        for object in objects.dropFirst(4) { #expect(changed.firstRange(of: object) != nil) }
        #expect(changed.firstRange(of: [0xD2, 5, 1, 6, 7]) != nil, "z stays before a")
    }

    @Test("is composed alike in every process")
    func deterministic() throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<50).map { ("\($0)", StoreValue.integer($0)) })
        let bytes = try File.file(["a": .dictionary(values.exact)])
        #expect(bytes == (try File.file(["a": .dictionary(values.exact.filter { _ in true })])))
        let file = try File(parsing: try File.file(values))
        #expect(file.keys == file.keys.sorted())
    }

    @Test("reads integers of every size", arguments: 0...4)
    func integers(_ exponent: Int) throws {
        let size = 1 << exponent
        let five: [UInt8] = [0x10 | UInt8(exponent)] + Array(repeating: 0, count: size - 1) + [5]
        let ones: [UInt8] = [0x10 | UInt8(exponent)] + Array(repeating: 0xFF, count: size)
        let file = try File(parsing: bplist([[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], five, ones]))
        #expect(file["a"] == .integer(5))
        let unsigned = StoreValue.integer(exponent < 3 ? 1 << (8 * Int64(size)) - 1 : -1)
        #expect(file["b"] == unsigned)
    }

    @Test(
        "refuses types that a property list does not have",
        arguments: [StoreValue.int32(1), .float(1), .strings(["a"]), .array([.dictionary(["b": .int32(1)])])]
    )
    func foreign(_ value: StoreValue) throws {
        let type: StoreType = if case .array = value { .int32 } else { value.type }
        #expect(throws: StoreFault.unrepresentable(.binaryPropertyList, key: "a", type)) {
            try File().replacing(["a": value])
        }
    }

    @Test("changes one of 2,000 keys, and no other")
    func large() throws {
        let values = Dictionary(
            uniqueKeysWithValues: (0..<2_000).map { ("flutter.key.\($0)", StoreValue.string("value \($0)")) }
        )
        let file = try File(parsing: try File.file(values))
        let changed = try File(parsing: try file.replacing(["flutter.key.7": .real(0.5)]))
        #expect(changed.values == values.merging(["flutter.key.7": .real(0.5)]) { $1 })
        #expect(changed.keys == file.keys)
    }
}

/// A file of these objects, with offsets of two bytes and references of one.
func bplist(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    let zeros = [UInt8](repeating: 0, count: 6)
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
        offsets += number(bytes.count)
        bytes += object
    }
    let numbers = [objects.count, Int(top), bytes.count].flatMap { zeros + number($0) }
    return bytes + offsets + zeros + [2, 1] + numbers
}
