import Foundation
import Stores
import TestWorld
import Testing

@Suite("Other programs' property lists", .threadPerTest)
struct PropertyListReaderTests {
    private static let samples: [[String: StoreValue]] =
        [PropertyListSamples.all, [:]] + (100..<120).map(PropertyListSamples.random)

    /// What the binary format can hold, and Python as well: its dates begin in year 1.
    private static let binary = PropertyListSamples.all.merging(
        PropertyListSamples.binaryOnly.filter { !["date -0", "before our era"].contains($0.key) }
    ) { $1 }

    // MARK: - Python

    @Test("are read by Python as we wrote them")
    func pythonReads() async throws {
        try await PropertyListPrograms.with { programs in
            var names: [String] = []
            var texts: [String] = []
            for (number, values) in Self.samples.enumerated() {
                for (format, bytes) in try Self.files(number == 0 ? Self.binary : values, xml: values) {
                    names.append("\(number).\(format)")
                    texts.append(StoreValue.text(format == "xml" || number > 0 ? values : Self.binary))
                    try programs.write(bytes, to: "\(number).\(format)")
                }
            }
            let read = try await programs.python(reading: names)
            #expect(read.count == names.count)
            for (index, name) in names.enumerated() { #expect(read[index] == texts[index], "\(name)") }
        }
    }

    private static func files(
        _ binary: [String: StoreValue],
        xml: [String: StoreValue]
    ) throws -> [(String, [UInt8])] {
        [("binary", try BinaryPropertyList.file(binary)), ("xml", try XMLPropertyList.file(xml))]
    }

    @Test("are read as Python wrote them, and changed without loss")
    func pythonWrites() async throws {
        try await PropertyListPrograms.with { programs in
            let seeds = 0..<30
            let texts = try await programs.python(writing: seeds)
            var changed: [String] = []
            for (seed, text) in zip(seeds, texts) {
                for format in ["binary", "xml"] {
                    let name = "\(seed).\(format)"
                    let file = try PropertyList(parsing: try programs.read(name))
                    #expect(StoreValue.text(file.values) == text, "\(name)")
                    #expect(file.format == (format == "xml" ? .xmlPropertyList : .binaryPropertyList))
                    let change: StoreChanges = [
                        "added": .integer(1), ExactText(file.keys.first ?? "none"): nil,
                    ]
                    let bytes = try file.replacing(change)
                    try programs.write(bytes, to: "\(name).changed")
                    changed.append(StoreValue.text(try PropertyList(parsing: bytes).values))
                }
            }
            let names = seeds.flatMap { ["\($0).binary.changed", "\($0).xml.changed"] }
            #expect(try await programs.python(reading: names) == changed)
        }
    }

    // MARK: - plutil

    @Test("are converted by plutil from one format to the other")
    func plutil() async throws {
        try await PropertyListPrograms.with { programs in
            for (number, values) in Self.samples.prefix(6).enumerated() {
                let values = values.filter { !PropertyListFoundation.loses($0.value) }
                for (format, bytes) in try Self.files(values, xml: values) {
                    let name = "\(number).\(format)"
                    try programs.write(bytes, to: name)
                    try await programs.plutil("-lint", name)
                    let other = format == "xml" ? "binary1" : "xml1"
                    try await programs.plutil("-convert", other, "-o", "\(name).converted", name)
                    let converted = try PropertyList(parsing: try programs.read("\(name).converted"))
                    #expect(converted.format == (format == "xml" ? .binaryPropertyList : .xmlPropertyList))
                    #expect(StoreValue.text(converted.values) == StoreValue.text(values), "\(name)")
                }
            }
        }
    }

    // MARK: - Foundation

    @Test("are read by Foundation as we wrote them")
    func foundationReads() throws {
        for values in Self.samples {
            for (format, bytes) in try Self.files(values, xml: values) {
                let read = try PropertyListFoundation.read(bytes)
                #expect(read.isXML == (format == "xml"))
                for (key, value) in values { #expect(read.values[key] == value.text, "\(format): \(key)") }
                #expect(read.values.count == values.count)
            }
        }
    }

    @Test("are read as Foundation wrote them, and by Foundation after a change")
    func foundationWrites() throws {
        for values in Self.samples {
            let values = values.filter { !PropertyListFoundation.loses($0.value) }
            for isXML in [false, true] {
                let bytes = try PropertyListFoundation.write(values, isXML: isXML)
                let file = try PropertyList(parsing: bytes)
                #expect(file.format == (isXML ? .xmlPropertyList : .binaryPropertyList))
                #expect(StoreValue.text(file.values) == StoreValue.text(values))
                let changed = try PropertyListFoundation.read(try file.replacing(["added": .integer(1)]))
                let expected = values.merging(["added": .integer(1)]) { $1 }
                #expect(changed.values == expected.mapValues(\.text))
            }
        }
    }

    @Test("are written byte by byte as Foundation does, where each dictionary has one key")
    func bytes() throws {
        let values: [StoreValue] = [
            .string("text of more than fifteen bytes"), .string("é🎉"), .integer(-1), .integer(70_000),
            .real(0.1), .data(Array(repeating: 7, count: 20)), .date(1.5), .dictionary(["b": .string("c")]),
            .array((0..<20).map { .integer($0 * 100) }), .array([.real(1), .integer(1), .bool(true)]),
        ]
        for value in values {
            let bytes = try PropertyListFoundation.write(["a": value], isXML: false)
            #expect(try BinaryPropertyList.file(["a": value]) == bytes, "\(value)")
        }
    }
}
