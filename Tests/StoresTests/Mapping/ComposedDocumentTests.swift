import Documents
import Stores
import Testing

/// A store that has only single values of a document.
@Suite("Documents composed of single values")
struct ComposedDocumentTests {
    private static let store = """
        format: plist, file: a.plist, at: {1: "", 2: /data}, fields: {
          n: {real: /n}, b: {bool: /in/b}, t: {date: /in/t, from: [iso8601, milliseconds]}, s: {string: /s}}
        """
    private static let versions = "    version: {field: version, missing: 1}\n    versions: {1: {}, 2: {}}"

    private func store(_ values: [String: StoreValue]) throws -> MappedStore {
        var store = try MappedStore(Self.store, versions: Self.versions)
        store.values = values
        return store
    }

    @Test("have the order of the profile, and the version's field and place")
    func composed() throws {
        let store = try store(["s": .string("\""), "n": .real(800), "b": .bool(true), "t": .date(0.5)])
        let values = #""n":800,"in":{"b":true,"t":"2001-01-01T00:00:00.5Z"},"s":"\"""#
        #expect(try store.document(at: 1) == "{\(values)}")
        #expect(try store.document(at: 2) == "{\"version\":2,\"data\":{\(values)}}")
        #expect(try store.document() == store.document(at: 2))
        #expect(try self.store(["n": .real(0.1)]).document(at: 1) == #"{"n":0.1}"#)
        #expect(try self.store([:]).document() == nil)
    }

    @Test("keep what was written last, apart from the values that differ")
    func kept() throws {
        let last = #"{ "x": [1, 2.00],  "n": 8e2, "in": {"t": 978307200000, "y": null}, "s": "old" }"#
        var store = try store([:])
        try store.write(last, at: 1)
        #expect(try store.document(at: 1, last: last) == last)
        store.values["s"] = .string("new")
        #expect(try store.document(at: 1, last: last) == last.replacing("old", with: "new"))
        store.values["s"] = nil
        let rest = #"{ "x": [1, 2.00],  "n": 8e2, "in": {"t": 978307200000, "y": null} }"#
        #expect(try store.document(at: 1, last: last) == rest)
        store.values["b"] = .bool(false)
        #expect(
            try store.document(at: 1, last: last)
                == rest.replacing(#""y": null"#, with: #""y": null, "b": false"#)
        )
    }

    @Test("are held if a value is none of the document, or has no place in it")
    func faults() throws {
        let wrong: [(String, StoreValue)] = [
            ("n", .real(.nan)), ("n", .real(.infinity)), ("n", .string("1")), ("b", .integer(1)),
            ("t", .real(0)), ("t", .date(1e300)), ("s", .data([])), ("s", .array([])),
        ]
        for (key, value) in wrong {
            #expect(try store([:]).fault(reading: [key: value]).key == key)
        }
        #expect(try store(["n": .integer(3)]).document(at: 1) == #"{"n":3}"#)
        let mismatch = #expect(throws: StoreMismatch.self) {
            try store(["b": .bool(true)]).document(at: 1, last: #"{"in":1}"#)
        }
        #expect(mismatch?.reason == .noPlace(try #require(JSONPointer("/in/b"))))
    }

    @Test("may be a dictionary or an array as a whole")
    func whole() throws {
        var store = try MappedStore(
            """
            format: expo-widgets, file: a.plist, widget: W, fields: {
              initial_props: {dictionary: ""}, timeline: {array: /entries}}
            """
        )
        let document = #"{"entries":[{"timestamp":1768746600000,"props":{"n":1.5}}]}"#
        try store.write(document)
        #expect(Set(store.values.keys) == ["__expo_widgets_W_initial_props", "__expo_widgets_W_timeline"])
        let entry = StoreValue.dictionary([
            "timestamp": .integer(1_768_746_600_000), "props": .dictionary(["n": .real(1.5)]),
        ])
        #expect(store.values["__expo_widgets_W_timeline"] == .array([entry]))
        #expect(try store.document(last: document) == document)
    }

    @Test("are decoded from what plugins write on Android")
    func plugins() throws {
        let fields = "fields: {r: {real: /r}, i: {integer: /i}, s: {string: /s}"
        let document = #"{"r":0.1,"i":5000000000,"s":"a"}"#
        for format in ["home-widget, file: a.xml", "flutter, file: a.xml", "flutter, file: a.plist"] {
            var store = try MappedStore("format: \(format), \(fields)}")
            try store.write(document)
            #expect(try store.document() == document, "\(format)")
        }
        // Before version 0.7 there are neither markers nor integers of 64 bits.
        var old = try MappedStore("format: home-widget, file: a.xml, markers: false, \(fields)}")
        #expect(try old.fault(document).isEncoding)
        try old.write(#"{"r":0.1,"i":5,"s":"a"}"#)
        #expect(old.values["i"] == .int32(5) && old.values.count == 3)
        #expect(try old.document() == #"{"r":0.1,"i":5,"s":"a"}"#)
        var lists = try MappedStore("format: flutter, file: a.xml, \(fields), l: {strings: /l}}")
        try lists.write(#"{"l":["a","b"]}"#)
        #expect(lists.values["flutter.l"]?.type == .string)
        #expect(try lists.document() == #"{"l":["a","b"]}"#)
        // A string that begins as the plugin's lists do would be read as a list.
        let prefix = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBhIGxpc3Qu"
        #expect(try lists.fault("{\"s\":\"\(prefix)\"}").isEncoding)
    }
}
