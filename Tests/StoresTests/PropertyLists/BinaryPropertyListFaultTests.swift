import Stores
import Testing

@Suite("A damaged binary property list")
struct BinaryPropertyListFaultTests {
    private typealias File = BinaryPropertyList

    private static let a: [UInt8] = [0x51, 0x61]
    private static let b: [UInt8] = [0x51, 0x62]

    /// A dictionary with one value, which is the third object.
    private func fault(
        value: [UInt8],
        _ more: [UInt8]...,
        limits: StoreLimits = StoreLimits()
    ) -> StoreFault? {
        File.fault(parsing: bplist([[0xD1, 1, 2], Self.a, value] + more), limits: limits)
    }

    private func detail(_ fault: StoreFault?) -> StoreFault.Detail? {
        if case .malformed(.binaryPropertyList, _, let detail)? = fault { detail } else { nil }
    }

    private static let sample = [
        "a": StoreValue.integer(300), "b": .array([.real(0.5), .date(1), .bool(true), .uid(1)]),
        "long text": .string("abcdefghijklmnopqrstuvwxyz"), "é": .string("🎉"), "d": .data([1, 2, 3]),
        "big": .unsigned(.max), "nested": .dictionary(["a": .array([]), "x": .dictionary([:])]),
    ]

    @Test("is refused wherever it is cut")
    func cut() throws {
        let bytes = try File.file(Self.sample)
        for count in 0..<bytes.count {
            #expect(File.fault(parsing: Array(bytes[..<count])) != nil, "\(count)")
        }
        for count in 1..<bytes.count {
            #expect(File.fault(parsing: Array(bytes[count...])) != nil, "\(count)")
        }
        #expect(File.fault(parsing: bytes + [0]) != nil)
    }

    @Test("is refused or read when any byte has any other value, and what is read can be written")
    func flips() throws {
        let bytes = try File.file(Self.sample)
        for index in bytes.indices {
            for value in UInt8.min...UInt8.max where value != bytes[index] {
                var damaged = bytes
                damaged[index] = value
                guard let file = try? File(parsing: damaged) else { continue }
                let again = try File(parsing: try file.replacing([:]))
                #expect(again.values == file.values, "\(index): \(value)")
            }
        }
    }

    @Test("that is something else is told from a damaged one")
    func others() {
        #expect(File.fault(parsing: []) == .notTheFormat(.binaryPropertyList))
        #expect(File.fault(parsing: Array("<?xml?>".utf8)) == .notTheFormat(.binaryPropertyList))
        #expect(
            File.fault(parsing: Array("bplist".utf8))
                == .malformed(.binaryPropertyList, .offset(6), .endOfFile)
        )
        let other = Array("bplist15".utf8) + Array(repeating: 0, count: 40)
        #expect(
            File.fault(parsing: other)
                == .malformed(.binaryPropertyList, .offset(6), .version("bplist15"))
        )
    }

    @Test(
        "that is a list or a text has no keys",
        arguments: [0xA0: StoreType.array, 0x50: .string, 9: .bool] as [UInt8: StoreType]
    )
    func notKeyed(_ marker: UInt8, _ type: StoreType) {
        #expect(File.fault(parsing: bplist([[marker]])) == .notKeyed(.binaryPropertyList, found: type))
    }

    @Test("has no null, URL, UUID, fill, set, nor a marker without a meaning")
    func types() {
        let names: [UInt8: String] = [
            0x00: "null", 0x0C: "URL", 0x0E: "UUID", 0x0F: "0x0F", 0x20: "0x20", 0x32: "0x32",
            0x70: "UTF-8 string", 0x88: "0x88", 0x90: "0x90", 0xB0: "ordered set", 0xC0: "set", 0xF0: "0xF0",
        ]
        for (marker, name) in names {
            let bytes = [marker] + Array(repeating: 0, count: 16)
            #expect(detail(fault(value: bytes)) == .unknownElement(name))
        }
    }

    @Test("has no integer beyond 64 bits")
    func integers() {
        let zeros = [UInt8](repeating: 0, count: 7)
        #expect(detail(fault(value: [0x14] + zeros + [1] + zeros + [0])) == .notA(.integer))
        let ones = [UInt8](repeating: 0xFF, count: 8)
        #expect(detail(fault(value: [0x14] + ones + zeros + [1])) == .notA(.integer))
        #expect(detail(fault(value: [0x15] + ones + ones + ones + ones)) == .unknownElement("0x15"))
    }

    @Test("has no half of a surrogate pair, and no byte beyond ASCII in an ASCII string")
    func texts() {
        let halves: [[UInt8]] = [
            [0x61, 0xD8, 0x3C], [0x61, 0xDF, 0x89], [0x62, 0xDF, 0x89, 0xD8, 0x3C],
            [0x62, 0xD8, 0x3C, 0, 0x61],
        ]
        for half in halves { #expect(detail(fault(value: half)) == .notA(.string)) }
        #expect(fault(value: [0x62, 0xD8, 0x3C, 0xDF, 0x89]) == nil)
        #expect(detail(fault(value: [0x52, 0xC3, 0xA9])) == .notA(.string))
    }

    @Test(
        "that claims more than it has ends too early",
        arguments: [0x4E, 0x5E, 0x6E, 0xAE, 0xDE, 0x13] as [UInt8]
    )
    func counts(_ marker: UInt8) {
        #expect(detail(fault(value: [marker])) == .endOfFile)
        let huge: [UInt8] = [marker | 0xF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        if marker != 0x13 { #expect(detail(fault(value: huge)) == .endOfFile) }
        if marker != 0x13 {
            #expect(detail(fault(value: [marker | 0xF, 0x51, 0x61])) == .expected("a count"))
        }
    }

    @Test("refers to no object that it does not have, and to none outside")
    func references() {
        #expect(detail(fault(value: [0xA1, 9])) == .reference(9))
        var bytes = bplist([[0xD1, 1, 2], Self.a, [0x09]])
        bytes[bytes.count - 32 - 1] = 3
        #expect(File.fault(parsing: bytes) == .malformed(.binaryPropertyList, .offset(3), .reference(2)))
        bytes[bytes.count - 32 - 1] = UInt8(bytes.count - 32)
        #expect(detail(File.fault(parsing: bytes)) == .reference(2))
    }

    @Test("has keys that are strings, each once")
    func keys() {
        #expect(
            detail(File.fault(parsing: bplist([[0xD1, 1, 1], [0x10, 1]]))) == .expected("a string as key")
        )
        let twice = bplist([[0xD2, 1, 2, 1, 2], Self.a, Self.a])
        #expect(File.fault(parsing: twice) == .duplicateKey(.binaryPropertyList, "a"))
        #expect(fault(value: [0xD2, 1, 1, 1, 1]) == .duplicateKey(.binaryPropertyList, "a"))
    }

    @Test("does not contain itself")
    func cycles() {
        #expect(detail(fault(value: [0xA1, 2])) == .reference(2))
        #expect(detail(fault(value: [0xA1, 3], [0xD1, 1, 2])) == .reference(2))
        #expect(detail(File.fault(parsing: bplist([[0xD1, 1, 0], Self.a]))) == .reference(0))
    }

    @Test("cannot expand to more than fits in memory")
    func bombs() throws {
        // Thirty lists, each of which contains the next one ten times.
        let lists = (0..<30).map { level in [0xAA] + Array(repeating: UInt8(level + 3), count: 10) }
        let limits = StoreLimits()
        let values = File.fault(parsing: bplist([[0xD1, 1, 2], Self.a] + lists + [[0x09]]))
        #expect(values == .tooManyValues(limit: limits.maxValues))
        // The same text 5^6 times.
        let texts = (0..<6).map { level in [0xA5] + Array(repeating: UInt8(level + 3), count: 5) }
        let text: [UInt8] = [0x5F, 0x10, 60] + Array(repeating: 0x61, count: 60)
        let bytes = bplist([[0xD1, 1, 2], Self.a] + texts + [text])
        #expect(File.fault(parsing: bytes) == nil)
        let large = File.fault(parsing: bytes, limits: StoreLimits(maxBytes: 900_000))
        guard case .tooLarge(_, limit: 900_000) = large else {
            Issue.record("\(String(describing: large))")
            return
        }
        // Doubled more often than an integer has bits.
        let doubled = (0..<70).map { level in [0xA2, UInt8(level + 3), UInt8(level + 3)] as [UInt8] }
        let unlimited = StoreLimits(maxBytes: .max, maxDepth: .max, maxValues: .max - 1)
        let sum = File.fault(
            parsing: bplist([[0xD1, 1, 2], Self.a] + doubled + [[0x09]]),
            limits: unlimited
        )
        #expect(sum == .tooManyValues(limit: .max - 1))
    }

    @Test("is limited in size, in levels and in values")
    func limits() throws {
        let bytes = try File.file(["a": .array([.array([.bool(true)])])])
        #expect(
            File.fault(parsing: bytes, limits: StoreLimits(maxBytes: bytes.count - 1))
                == .tooLarge(bytes: bytes.count, limit: bytes.count - 1)
        )
        #expect(File.fault(parsing: bytes, limits: StoreLimits(maxDepth: 3)) == nil)
        #expect(File.fault(parsing: bytes, limits: StoreLimits(maxDepth: 2)) == .tooDeep(limit: 2))
        #expect(File.fault(parsing: bytes, limits: StoreLimits(maxValues: 5)) == nil)
        #expect(File.fault(parsing: bytes, limits: StoreLimits(maxValues: 2)) == .tooManyValues(limit: 2))
    }

    @Test("is not written: a file beyond the limits could not be read again")
    func writing() throws {
        let file = try File(parsing: try File().replacing([:]), limits: StoreLimits(maxDepth: 2))
        #expect(throws: StoreFault.tooDeep(limit: 2)) { try file.replacing(["a": .array([.array([])])]) }
        _ = try file.replacing(["a": .array([])])
    }
}
