import Foundation
import Stores
import TestWorld
import Testing

private func manifest(_ text: String) throws(StoreFault) -> AsyncStorageManifest {
    try AsyncStorageManifest(parsing: Array(text.utf8), limits: StoreLimits())
}

private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

private let short = StoreValue.string(String(repeating: "\u{1F600}", count: 512))
private let long = StoreValue.string(String(repeating: "\u{1F600}", count: 512) + "x")

@Suite("AsyncStorage manifest")
struct AsyncStorageManifestTests {
    @Test("says which values are in a file, and its name")
    func read() throws {
        let found = try manifest(#"{"a":"x\/y\u00e9","penny_widget_data":null}"#)
        #expect(found.keys == ["a", "penny_widget_data"])
        #expect(found["a"] == .string("x/yé"))
        #expect(found.location(of: "a") == .inline("x/yé"))
        #expect(found["penny_widget_data"] == AsyncStorageManifest.elsewhere)
        #expect(found.location(of: "penny_widget_data") == .file("ced8073ea8f80dc91591932c44faa5b2"))
        #expect(found.location(of: "b") == nil)
    }

    @Test("takes values of at most 1024 UTF-16 units, and files take the others")
    func size() throws {
        let name = AsyncStorageManifest.fileName(of: "k")
        let inline = try AsyncStorageManifest().changing(["k": short])
        #expect((inline.written, inline.removed) == ([], []))
        #expect(try manifest(text(inline.manifest) ?? "")["k"] == short)
        let file = try AsyncStorageManifest().changing(["k": long])
        #expect(file.written.map(\.name) == [name])
        #expect(try AsyncStorageManifest.value(ofFile: file.written[0].bytes, key: "k") == long)
        #expect(text(file.manifest) == #"{"k":null}"#)
        #expect(file.removed == [])
    }

    @Test("changes only where it must, and removes what it no longer refers to")
    func moves() throws {
        let name = AsyncStorageManifest.fileName(of: "k")
        let outside = try manifest(#"{"k":null}"#)
        #expect(try outside.changing(["k": long]).manifest == nil)
        #expect(try outside.changing(["k": long]).written.map(\.name) == [name])
        let back = try outside.changing(["k": .string("x")])
        #expect((text(back.manifest), back.removed, back.written) == (#"{"k":"x"}"#, [name], []))
        let gone = try outside.changing(["k": nil])
        #expect((text(gone.manifest), gone.removed, gone.written) == ("{}", [name], []))
        let out = try manifest(#"{"k":"x"}"#).changing(["k": long])
        #expect((text(out.manifest), out.removed, out.written.map(\.name)) == (#"{"k":null}"#, [], [name]))
        #expect(try outside.changing([:]) == AsyncStorageManifest().changing(["absent": nil]))
    }

    @Test(
        "keeps the bytes of every member that is not changed",
        arguments: [
            ("{}", ["n": "1"], #"{"n":"1"}"#), (" { } ", ["n": "1"], #" {"n":"1" } "#),
            (#"{"a":"1"}"#, ["n": "\"\n"], #"{"a":"1","n":"\"\n"}"#), (#"{ "a" : "1" }"#, ["a": nil], "{  }"),
            (#"{"a":"1","b":"\u0032"}"#, ["a": nil], #"{"b":"\u0032"}"#),
            (#"{"a":"1","b":"2"}"#, ["b": nil, "n": "3"], #"{"a":"1","n":"3"}"#),
            (#"{"a":"1","b":"2"}"#, ["a": nil, "b": nil, "n": "3", "m": "4"], #"{"m":"4","n":"3"}"#),
            (#"{"a":"1", "b":"2", "c":"3", "d":"4"}"#, ["a": nil, "b": nil, "d": nil], #"{"c":"3"}"#),
            (#"{"a":"1", "b":"2", "c":"3", "d":"4"}"#, ["b": nil, "c": nil], #"{"a":"1", "d":"4"}"#),
            (
                "\n{\n \"a\": \"1\",\n \"b\": \"2\"\n}\n", ["b": "3"],
                "\n{\n \"a\": \"1\",\n \"b\": \"3\"\n}\n"
            ),
        ] as [(String, [String: String?], String)]
    )
    func splice(before: String, changes: [String: String?], after: String) throws {
        let values = changes.map { (ExactText($0.key), $0.value.map { StoreValue.string($0) }) }
        let written = try manifest(before).replacing(StoreChanges(uniqueKeysWithValues: values))
        #expect(text(written) == after)
    }

    @Test(
        "is never replaced where it cannot be read",
        arguments: [
            ("", StoreFault.malformed(.asyncStorage, .line(1, column: 1), .endOfFile)),
            ("[]", .notKeyed(.asyncStorage, found: .array)),
            ("\"x\"", .notKeyed(.asyncStorage, found: .string)),
            ("null", .notTheFormat(.asyncStorage)), ("7", .notKeyed(.asyncStorage, found: .real)),
            (#"{"k":1}"#, .wrongType(.asyncStorage, key: "k", found: .real, expected: .string)),
            (#"{"k":{}}"#, .wrongType(.asyncStorage, key: "k", found: .dictionary, expected: .string)),
            (#"{"k":"\ud800"}"#, .malformedValue(.asyncStorage, key: "k", .line(1, column: 6), .notUTF8)),
            (#"{"\ud800":""}"#, .malformed(.asyncStorage, .line(1, column: 2), .notUTF8)),
            (#"{"k":"1","\u006b":"2"}"#, .duplicateKey(.asyncStorage, "k")),
            (#"{"k":"1""#, .malformed(.asyncStorage, .line(1, column: 9), .endOfFile)),
        ]
    )
    func faults(json: String, fault: StoreFault) {
        #expect(throws: fault) { try manifest(json) }
    }

    @Test("takes a key of a megabyte and twenty thousand members")
    func large() throws {
        let key = String(repeating: "\u{1F511}\"", count: 200_000)
        var values: StoreChanges = [ExactText(key): .string("x")]
        for number in 0..<20_000 { values[ExactText("k\(number)")] = .some(.string("\(number)")) }
        let found = try AsyncStorageManifest(
            parsing: AsyncStorageManifest().replacing(values),
            limits: StoreLimits()
        )
        #expect(found.keys.count == 20_001)
        #expect(found[key] == .string("x"))
        #expect(found["k19999"] == .string("19999"))
    }

    @Test("holds strings only", arguments: [StoreValue.integer(1), .bool(true), .data([1]), .array([])])
    func types(value: StoreValue) {
        #expect(throws: StoreFault.unrepresentable(.asyncStorage, key: "k", value.type)) {
            try AsyncStorageManifest().changing(["k": value])
        }
    }

    @Test("ends in a fault or a manifest, whatever is cut off or damaged")
    func damage() throws {
        let bytes = Array(#"{"a":"x\/y\u00e9\ud83d\ude00","b":null, "c" : "\"" }"#.utf8)
        for count in bytes.indices {
            #expect(
                (try? AsyncStorageManifest(parsing: Array(bytes[..<count]), limits: StoreLimits())) == nil
            )
        }
        for index in bytes.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= mask
                guard let found = try? AsyncStorageManifest(parsing: damaged, limits: StoreLimits()) else {
                    continue
                }
                let written = try found.replacing(["new": .string("x")])
                #expect(
                    try AsyncStorageManifest(parsing: written, limits: StoreLimits())["new"] == .string("x")
                )
            }
        }
    }

    @Test("is read by Python as by us, names of files included")
    func python() async throws {
        let values: [String: StoreValue] = [
            "penny_widget_data": long, "": .string(""),
            "k\"\n\u{1F511}é": .string("\u{0}\u{1F}\"\\/\u{2028}"), "e\u{301}": short,
        ]
        let file = try AsyncStorageManifest().replacing(values.exact.mapValues { $0 })
        let found = try AsyncStorageManifest(parsing: file, limits: StoreLimits())
        let expected = values.map { key, _ in
            let value: [String] = if case .string(let text)? = found[key] { [field(text)] } else { [] }
            return ([field(key), AsyncStorageManifest.fileName(of: key)] + value).joined(separator: "\t")
        }
        let output = try await OtherProgram.python.run("manifest", String(decoding: file, as: UTF8.self))
        #expect(Set(output.split(separator: "\n").map(String.init)) == Set(expected))
        for (key, value) in values where value != long { #expect(found[key] == value) }
    }
}
