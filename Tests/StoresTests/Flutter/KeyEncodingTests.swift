import Stores
import Testing

private let double = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBEb3VibGUu"
private let list = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBhIGxpc3Qu"
private let bigInteger = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBCaWdJbnRlZ2Vy"

@Suite("Keys of plugins")
struct KeyEncodingTests {
    private func roundTrip(_ value: StoreValue, _ encoding: KeyEncoding, _ format: FileFormat) throws
        -> StoreValue?
    {
        let changes = try encoding.encoded(value, as: "k", in: format)
        return try encoding.decoded("k", expecting: value.type, in: format) { changes[ExactText($0)] ?? nil }
    }

    @Test(
        "read what they write, in every format",
        arguments: [KeyEncoding.flutter(), .homeWidget(markers: true), .homeWidget(markers: false)],
        [FileFormat.sharedPreferences, .binaryPropertyList]
    )
    func roundTrip(encoding: KeyEncoding, format: FileFormat) throws {
        let values: [StoreValue] = [
            .string(""), .string("450.5"), .bool(true), .integer(23), .integer(-1), .integer(0), .real(450.5),
            .real(0), .real(-0.0), .real(-1e7), .real(.infinity), .real(1e-300),
        ]
        for value in values { #expect(try roundTrip(value, encoding, format) == value) }
    }

    @Test("have Flutter's prefix on both platforms")
    func flutterKeys() throws {
        for format in [FileFormat.sharedPreferences, .xmlPropertyList] {
            #expect(KeyEncoding.flutter().keys(of: "spent", in: format) == ["flutter.spent"])
            #expect(KeyEncoding.flutter().field(ofKey: "flutter.spent", in: format) == "spent")
            #expect(KeyEncoding.flutter().field(ofKey: "spent", in: format) == nil)
        }
        let own = KeyEncoding.flutter(prefix: "myapp.")
        #expect(own.keys(of: "spent", in: .sharedPreferences) == ["myapp.spent"])
        #expect(own.field(ofKey: "flutter.spent", in: .sharedPreferences) == nil)
        let none = KeyEncoding.flutter(prefix: "")
        #expect(none.field(ofKey: "flutter.spent", in: .sharedPreferences) == "flutter.spent")
        // The point and the accent are one character.
        let accented = KeyEncoding.flutter().field(ofKey: "flutter.\u{301}", in: .sharedPreferences)
        #expect(accented?.unicodeScalars.map(\.value) == [0x301])
    }

    @Test("write Flutter's doubles and lists as text on Android, and plainly on iOS")
    func flutterValues() throws {
        func written(_ value: StoreValue?, _ format: FileFormat) throws -> StoreChanges {
            try KeyEncoding.flutter().encoded(value, as: "k", in: format)
        }
        let texts = StoreValue.array([.string("a\"\n"), .string("ü")])
        #expect(try written(.real(800), .sharedPreferences) == ["flutter.k": .string(double + "800.0")])
        #expect(try written(.int32(7), .sharedPreferences) == ["flutter.k": .integer(7)])
        #expect(try written(texts, .sharedPreferences) == ["flutter.k": .string(list + #"!["a\"\n","ü"]"#)])
        #expect(try written(nil, .sharedPreferences) == ["flutter.k": nil])
        #expect(try written(.real(800), .binaryPropertyList) == ["flutter.k": .real(800)])
        #expect(try written(texts, .binaryPropertyList) == ["flutter.k": texts])
        #expect(try roundTrip(texts, .flutter(), .sharedPreferences) == texts)
    }

    private func written(_ value: StoreValue?, _ format: FileFormat) throws -> StoreChanges {
        try KeyEncoding.flutter().encoded(value, as: "k", in: format)
    }

    @Test("read Flutter's older lists and large integers")
    func flutterOldValues() throws {
        // As an ObjectOutputStream writes new ArrayList<>(List.of("a", "b")).
        let old = """
            rO0ABXNyABNqYXZhLnV0aWwuQXJyYXlMaXN0eIHSHZnHYZ0DAAFJAARzaXpleHAAAAACdwQAAAACdAAB
            YXQAAWJ4

            """
        #expect(try read(.string(list + old)) == .array([.string("a"), .string("b")]))
        #expect(try read(.string(bigInteger + "1y2p0ij32e8e7")) == .integer(.max))
        #expect(try read(.string(bigInteger + "3w5e11264sgsf")) == .unsigned(.max))
        #expect(try read(.string(bigInteger + "-1")) == .integer(-1))
        #expect(try read(.strings(["x"])) == .array([.string("x")]))
        #expect(try read(.float(0.5)) == .real(0.5))
    }

    private func read(_ value: StoreValue) throws -> StoreValue? {
        try KeyEncoding.flutter().decoded("k", in: .sharedPreferences) { $0 == "flutter.k" ? value : nil }
    }

    @Test(
        "say which of Flutter's values they cannot read",
        arguments: [
            (double + "1,5", StoreType.real), (double, .real), (list + "![1]", .array), (list + "!", .array),
            (list + "rO0=", .array), (list + "*", .array), (bigInteger + "3w5e11264sgsg", .integer),
        ]
    )
    func flutterFaults(text: String, type: StoreType) {
        let fault = StoreFault.malformedValue(.sharedPreferences, key: "flutter.k", nil, .notA(type))
        #expect(throws: fault) { try read(.string(text)) }
    }

    @Test("do not write what Flutter would read as something else", arguments: [double, list, bigInteger])
    func flutterClash(prefix: String) {
        let fault = StoreFault.unrepresentable(.sharedPreferences, key: "flutter.k", .string)
        #expect(throws: fault) { try written(.string(prefix + "x"), .sharedPreferences) }
    }

    @Test("write home_widget's doubles as bits, with a marker for every value since 0.7")
    func homeWidget() throws {
        func written(_ value: StoreValue?, markers: Bool) throws -> StoreChanges {
            try KeyEncoding.homeWidget(markers: markers).encoded(value, as: "k", in: .sharedPreferences)
        }
        let marker = "home_widget.double.k"
        #expect(
            try written(.real(450.5), markers: true) == [
                "k": .integer(4_646_632_896_004_620_288), ExactText(marker): .bool(true),
            ]
        )
        #expect(
            try written(.string("x"), markers: true) == ["k": .string("x"), ExactText(marker): .bool(false)]
        )
        #expect(
            try written(.integer(23), markers: true) == ["k": .int32(23), ExactText(marker): .bool(false)]
        )
        #expect(
            try written(.integer(1_768_746_600_000), markers: true) == [
                "k": .integer(1_768_746_600_000), ExactText(marker): .bool(false),
            ]
        )
        #expect(try written(nil, markers: true) == ["k": nil, ExactText(marker): nil])
        #expect(try written(.real(800), markers: false) == ["k": .integer(4_650_248_090_236_747_776)])
        #expect(throws: StoreFault.unrepresentable(.sharedPreferences, key: "k", .integer)) {
            try written(.integer(1 << 31), markers: false)
        }
        #expect(KeyEncoding.homeWidget(markers: true).field(ofKey: marker, in: .sharedPreferences) == nil)
    }

    @Test(
        "take a long without a marker for what the field is, where it can be that alone",
        arguments: [
            (4_650_248_090_236_747_776, StoreType.real, StoreValue.real(800)), (0, .real, .real(0)),
            (1_768_746_600_000, .integer, .integer(1_768_746_600_000)), (1_768_746_600_000, .real, nil),
            (4_650_248_090_236_747_776, .integer, nil), (-5, .integer, .integer(-5)), (-5, .real, nil),
        ] as [(Int64, StoreType, StoreValue?)]
    )
    func unmarked(long: Int64, expected: StoreType, value: StoreValue?) throws {
        for encoding in [KeyEncoding.homeWidget(markers: true), .homeWidget(markers: false)] {
            let read = { () throws(StoreFault) -> StoreValue? in
                try encoding.decoded("k", expecting: expected, in: .sharedPreferences) {
                    $0 == "k" ? .integer(long) : nil
                }
            }
            if let value {
                #expect(try read() == value)
            } else {
                let found = expected == .real ? StoreType.integer : .real
                #expect(
                    throws: StoreFault.wrongType(
                        .sharedPreferences,
                        key: "k",
                        found: found,
                        expected: expected
                    )
                ) {
                    try read()
                }
            }
        }
    }
}
