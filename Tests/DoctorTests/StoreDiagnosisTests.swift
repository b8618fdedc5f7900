import Documents
import FileSystem
import Model
import Stores
import Testing

@testable import Doctor

/// A file with these values.
struct Values: KeyedFile {
    var values: [String: StoreValue] = [:]

    init() {}
    init(_ values: [String: StoreValue]) { self.values = values }
    init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault) {}

    var keys: [String] { values.keys.sorted() }
    subscript(key: String) -> StoreValue? { values.first { ExactText($0.key) == ExactText(key) }?.value }
    func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] { [] }
}

@Suite struct StoreDiagnosisTests {
    static let group = "Library/Preferences/group.p.plist"

    /// What is found of a store with this content.
    func found(
        _ store: String,
        _ content: StoreObservation.Content,
        _ side: Side = .group,
        _ platform: StorePlatform = .ios,
        versions: String = "",
        maxDocument: Int = .max,
        _ documents: [DocumentObservation] = [],
        around: StoreObservation.Surroundings = .init()
    ) throws -> [Finding] {
        let yaml = """
            profile: p
            group: group.p
            documents:
              d.json:
                stores: {\(platform.rawValue): {\(side.rawValue): {\(store)}}}
            \(versions)
            """
        let profile = try Profile(yaml: yaml, file: "p")
        let rule = profile.documents[0]
        let known = try #require(rule.stores[platform]?[side == .app ? .app : .group])
        return try DoctorTests.findings {
            $0.groups = [profile.group]
            $0.maxDocument = maxDocument
            $0.containers[side]?.documents = documents
            $0.stores = [StoreObservation(side, platform, rule, known, content)]
            $0.stores[0].surroundings = around
        }
    }

    func file(_ values: [String: StoreValue], size: Int = 1, backup: Int64? = nil)
        -> StoreObservation.Content
    {
        .file(Values(values), size: size, backup: backup)
    }

    func expect(
        _ findings: [Finding],
        _ expected: [(Finding.Reason, key: String?, Finding.Severity)],
        in file: String = Self.group,
        on side: Side = .group
    ) {
        #expect(
            findings == expected.map { Finding($0.0, at: .container(side, file, key: $0.key)) },
            "\(findings)"
        )
        #expect(findings.map(\.severity) == expected.map(\.2))
    }

    static let text = "format: plist, file: \(group), text: data"
    private static let flutter = "format: flutter, file: \(group), text: data, fields: {n: {real: /n}}"

    // MARK: Where it is

    @Test(arguments: [
        ("format: plist, file: prefs.plist, text: d", "prefs.plist", Finding.Placement.notUserDefaults),
        (
            "format: plist, file: Library/Preferences/group.q.plist, text: d",
            "Library/Preferences/group.q.plist", .otherGroup(["group.p"])
        ),
        ("format: shared-preferences, file: a.xml, text: d", "a.xml", .otherPlatform(.preferences, .ios)),
        ("format: async-storage, file: manifest.json, text: d", "manifest.json", .notInGroup(.asyncStorage)),
    ])
    func `A store that cannot be where the profile says is found`(
        _ store: String,
        _ path: String,
        _ placement: Finding.Placement
    ) throws {
        let severity: Finding.Severity = placement == .notInGroup(.asyncStorage) ? .error : .warning
        expect(try found(store, .unknown), [(.placement(placement), nil, severity)], in: path)
    }

    @Test func `On Android preferences are in their directory, and there are no property lists`() throws {
        let preferences = "format: shared-preferences, text: d, file:"
        #expect(try found("\(preferences) shared_prefs/a.xml", .unknown, .group, .android) == [])
        expect(
            try found("\(preferences) a.xml", .unknown, .app, .android),
            [(.placement(.notPreferences), nil, .warning)],
            in: "a.xml",
            on: .app
        )
        let list = try found("format: plist, text: d, file: a.plist", .unknown, .app, .android)
        #expect(list.map(\.reason) == [.placement(.otherPlatform(.propertyList, .android))])
    }

    @Test(arguments: Profile.builtInNames)
    func `The built-in profiles have their stores where they can be`(_ name: String) throws {
        let profile = try #require(Profile.builtIn(name))
        let findings = try DoctorTests.findings { bridge in
            bridge.groups = [profile.group] + profile.otherGroups
            for rule in profile.documents {
                for (platform, pair) in rule.stores {
                    for side in Side.allCases {
                        guard let store = pair[side == .app ? .app : .group] else { continue }
                        bridge.stores.append(StoreObservation(side, platform, rule, store, .unknown))
                    }
                }
            }
        }
        #expect(findings == [])
    }

    // MARK: What is there

    @Test func `A store that is missing, or that only one program can use now, is found`() throws {
        let location = Location(Side.group, try #require(RelativePath(Self.group)))
        let path = location.path
        let error = FileError.notRegular(location, .symbolicLink)
        let problem = StoreProblem(path, .file(.notTheFormat(.binaryPropertyList)))
        let cases: [(StoreObservation.Content, Finding.Store, Finding.Severity)] = [
            (.missing(neighbours: ["b.plist"]), .missing(neighbours: ["b.plist"]), .note),
            (.busy, .busy, .warning), (.unreadable(error), .unreadable(error), .error),
            (.unusable(problem), .unusable(problem), .error), (.notExamined(9), .notExamined(9), .note),
        ]
        for (content, store, severity) in cases {
            expect(try found(Self.text, content), [(.store(store), nil, severity)])
        }
    }

    @Test func `A key with another prefix is an error, and a missing document a note`() throws {
        expect(
            try found(Self.flutter, file(["data": .string("{}"), "n": .real(1)])),
            [
                (.store(.otherKey("data")), "flutter.data", .error),
                (.store(.otherKey("n")), "flutter.n", .error),
            ]
        )
        expect(
            try found(Self.text, file(["flutter.data": .string("{}")])),
            [(.store(.otherKey("flutter.data")), "data", .error)]
        )
        expect(
            try found(Self.text, file(["Data": .string("{}")])),
            [(.store(.otherKey("Data")), "data", .error)]
        )
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let alike = try found(
            Self.text.replacing("data", with: composed),
            file([decomposed: .string("{}")])
        )
        expect(alike, [(.store(.otherKey(decomposed)), composed, .error)])
        expect(try found(Self.text, file(["x": .bool(true)])), [(.store(.missingKey), "data", .note)])
    }

    @Test func `A second key with another prefix and value is found, and by its time which is newer`() throws
    {
        func seconds(_ prefix: String, _ own: String, _ other: String, _ value: String) throws -> [Finding] {
            let store = "format: flutter, file: \(Self.group), text: d, prefix: '\(prefix)'"
            let stale = "    stale: {field: /at, after: 1 h}"
            return try found(
                store,
                file([own: .string(#"{"at":2000000000000}"#), other: .string(value)]),
                versions: stale
            )
        }
        let cases: [(String, Bool?, Finding.Severity)] = [
            (#"{"at":2000000000001}"#, true, .error), (#"{"at":1999999999999}"#, false, .warning),
            (#"{"at":2000000000000,"n":1}"#, nil, .warning), ("[]", nil, .warning),
        ]
        for (prefix, own, other) in [
            ("flutter.", "flutter.d", "d"), ("", "d", "flutter.d"), ("my.", "my.d", "flutter.d"),
            ("my.", "my.d", "d"),
        ] {
            for (value, isNewer, severity) in cases {
                let reason = Finding.Reason.store(.secondKey(other, isNewer: isNewer))
                expect(try seconds(prefix, own, other, value), [(reason, own, severity)])
            }
            #expect(try seconds(prefix, own, other, #"{"at":2000000000000}"#) == [])
        }
        // A single value has no time.
        let values: [String: StoreValue] = [
            "flutter.data": .string("{\"n\":1}"), "flutter.n": .real(1), "n": .real(2),
            "data": .string("{\"n\":1}"),
        ]
        let single = Finding.Reason.store(.secondKey("n", isNewer: nil))
        expect(try found(Self.flutter, file(values)), [(single, "flutter.n", .warning)])
    }

    @Test func `Each value of another type is an error, and a field may be missing`() throws {
        let findings = try found(
            Self.flutter,
            file(["flutter.data": .data([0x7b, 0x7d]), "flutter.n": .string("1")])
        )
        let expected: [(String, StoreType, StoreType)] = [
            ("flutter.data", .data, .string), ("flutter.n", .string, .real),
        ]
        expect(
            findings,
            expected.map { key, found, expected in
                let reason = StoreMismatch.Reason.type(found: found, expected: expected)
                let mismatch = StoreMismatch(file: Self.group, key: key, reason: reason)
                return (.store(.mismatch(mismatch)), key, .error)
            }
        )
        #expect(try found(Self.flutter, file(["flutter.data": .string("{}")])) == [])
    }

    @Test func `A single value that differs from the document beside it is a warning`() throws {
        func differing(_ values: [String: StoreValue], _ text: String) throws -> [Finding] {
            try found(Self.flutter, file(values.merging(["flutter.data": .string(text)]) { $1 }))
        }
        #expect(try differing(["flutter.n": .real(2)], #"{"n":2}"#) == [])
        #expect(try differing(["flutter.n": .integer(2)], #"{"n":2.0}"#) == [])
        let cases: [([String: StoreValue], String, StoreValue?, StoreValue?)] = [
            (["flutter.n": .real(1)], #"{"n":2}"#, .real(1), .real(2)),
            (["flutter.n": .real(1)], "{}", .real(1), nil), ([:], #"{"n":2}"#, nil, .real(2)),
        ]
        for (values, text, found, expected) in cases {
            let difference = StoreDifference(
                key: "flutter.n",
                pointer: JSONPointer(tokens: [Array("n".utf8)]),
                found: found,
                expected: expected
            )
            expect(
                try differing(values, text),
                [(.store(.differs(difference)), "flutter.n", .warning)]
            )
        }
        // One finding per cause.
        let wrong = try differing(["flutter.n": .string("1")], #"{"n":2}"#)
        #expect(wrong.map(\.reason.code) == ["wrong-type"])
        #expect(try differing(["n": .real(1)], #"{"n":2}"#).map(\.reason.code) == ["other-key"])
    }

    @Test func `What is wrong with a file is found once, however many documents are in it`() throws {
        let one = try Profile(
            yaml: """
                profile: p
                group: group.p
                documents:
                  a.json: {stores: {ios: {group: {format: plist, file: \(Self.group), text: a}}}}
                  b.json: {stores: {ios: {group: {format: plist, file: \(Self.group), text: b}}}}
                """,
            file: "p"
        )
        let findings = try DoctorTests.findings {
            $0.groups = [one.group]
            $0.stores = try one.documents.map {
                let store = try #require($0.stores[.ios]?.group)
                return StoreObservation(.group, .ios, $0, store, .busy)
            }
        }
        expect(findings, [(.store(.busy), nil, .warning)])
    }

    @Test func `A file with .bak is a note, and one that is too large for the platform a warning`() throws {
        let values = ["data": StoreValue.string("{}")]
        expect(try found(Self.text, file(values, backup: 7)), [(.store(.backup(since: 7)), nil, .note)])
        let limit = 4 << 20
        expect(
            try found(Self.text, file(values, size: limit)),
            [(.store(.tooLarge(limit, limit: limit)), nil, .warning)]
        )
        #expect(try found(Self.text, file(values, size: limit - 1)) == [])
    }

    @Test func `A database without the table or the row, a locked one, and a large row are found`() throws {
        let room = "format: async-storage, file: databases/AsyncStorage, text: d"
        let large = Array("[\"\(String(repeating: "x", count: 2 << 20))\"]".utf8)
        let cases: [(StoreObservation.Content, [(Finding.Reason, key: String?, Finding.Severity)])] = [
            (.noTable(isMade: false), [(.store(.missingTable("Storage", isMade: false)), nil, .warning)]),
            (.noTable(isMade: true), [(.store(.missingTable("Storage", isMade: true)), nil, .note)]),
            (.locked, [(.store(.locked), nil, .error)]), (.row(nil), [(.store(.missingRow), "d", .note)]),
            (.row(Array("{}".utf8)), []),
            (
                .row(large),
                [(.store(.tooLarge(large.count, limit: AndroidWindow.mostBytes + 1)), "d", .warning)]
            ),
        ]
        for (content, expected) in cases {
            let findings = try found(room, content, .app, .android)
            expect(findings, expected, in: "databases/AsyncStorage", on: .app)
        }
    }

    @Test func `A JSON file of another name is examined as a document, and once`() throws {
        let path = try #require(RelativePath("other.json"))
        let file = DocumentObservation(path, kind: .regular, size: 11, isReadable: true)
        let findings = try found("format: json, file: other.json", .json(file), maxDocument: 10, [file])
        expect(findings, [(.document(.tooLarge(11, limit: 10)), nil, .error)], in: "other.json")
    }

    // MARK: The document

    static let versions = """
            version: {field: v}
            versions:
              1: {schema: {type: object, properties: {v: {type: integer}, n: {type: number}}, required: [n]}}
        """

    @Test func `A document that would be held is an error`() throws {
        func content(_ text: String, maxDocument: Int = .max) throws -> [Finding] {
            let file = file(["data": .string(text)])
            return try found(Self.text, file, versions: Self.versions, maxDocument: maxDocument)
        }
        #expect(try content(#"{"v":1,"n":2}"#) == [])
        let newer = try content(#"{"v":2}"#)
        expect(newer, [(.content(.newerVersion(2, newest: 1)), "data", .error)])
        let codes = try ["{", #"{"n":1}"#, #"{"v":1}"#].map { try content($0).map(\.reason.code) }
        #expect(codes == [["not-json"], ["unknown-version"], ["invalid"]])
        expect(
            try content(#"{"v":1,"n":2}"#, maxDocument: 3),
            [(.document(.tooLarge(13, limit: 3)), "data", .error)]
        )
    }

    @Test func `A file of the document's own name is ignored while a store has the document`() throws {
        let rule = try #require(Profile.builtIn("budget")?.documents.first)
        let store = try #require(rule.stores[.ios]?.app)
        let path = try #require(RelativePath(rule.path))
        let findings = try DoctorTests.findings {
            $0.stores = [StoreObservation(.app, .ios, rule, store, .unknown)]
            $0.containers.app?.documents = [
                DocumentObservation(path, kind: .directory, size: 0, isReadable: true)
            ]
        }
        #expect(
            findings == [Finding(.document(.keptInStore(store.file)), at: .container(.app, rule.path))]
        )
        #expect(findings.map(\.severity) == [.note])
    }
}
