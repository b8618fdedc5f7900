import Documents
import Model
import Stores
import Testing

@testable import Doctor

/// What is beside a store, and values and keys that may be meant otherwise.
extension StoreDiagnosisTests {
    @Test func `What everyone may change, and what others left, is found beside the store`() throws {
        var around = StoreObservation.Surroundings()
        (around.mode, around.directoryMode) = (0o777, 0o777)
        around.otherGroups = ["group.q.plist"]
        around.leftovers = [".store-put-1-0"]
        let directory = "Library/Preferences"
        let findings = try found(Self.text, file(["data": .string("{}")]), around: around)
        #expect(
            findings == [
                Finding(.store(.exposed(0o777)), at: .container(.group, Self.group)),
                Finding(.store(.exposed(0o777)), at: .container(.group, directory)),
                Finding(.store(.otherGroupFile("group.q.plist")), at: .container(.group, Self.group)),
                Finding(.store(.leftover), at: .container(.group, "\(directory)/.store-put-1-0")),
            ]
        )
        #expect(findings.map(\.severity) == [.warning, .warning, .warning, .note])
        // Only the owner of a file replaces it there.
        (around.mode, around.directoryMode) = (0o664, 0o1777)
        (around.otherGroups, around.leftovers) = ([], [])
        #expect(try found(Self.text, file(["data": .string("{}")]), around: around) == [])
        around.otherCase = "Library/preferences/group.p.plist"
        expect(
            try found(Self.text, .missing(neighbours: []), around: around),
            [(.store(.otherCase("Library/preferences/group.p.plist")), nil, .warning)]
        )
    }

    @Test func `A long that may be the bits of a number is found, unless a marker or its size tells`() throws
    {
        let bits = Int64(bitPattern: 450.5.bitPattern)
        let time: Int64 = 1_768_746_600_000
        let cases: [(type: String, Int64, marker: Bool?, Finding.Store?, Finding.Severity)] = [
            ("real", bits, nil, .doubtfulLong(bits, .real, isRead: true), .warning),
            ("real", time, nil, .doubtfulLong(time, .real, isRead: false), .error),
            ("real", time, true, .doubtfulLong(time, .real, isRead: true), .warning),
            ("integer", bits, false, .doubtfulLong(bits, .integer, isRead: true), .warning),
            ("integer", bits, nil, .doubtfulLong(bits, .integer, isRead: false), .error),
            ("real", bits, true, nil, .note), ("integer", time, nil, nil, .note),
            ("integer", time, false, nil, .note),
        ]
        for (type, long, marker, expected, severity) in cases {
            let store = "format: home-widget, file: shared_prefs/a.xml, fields: {n: {\(type): /n}}"
            var values = ["n": StoreValue.integer(long)]
            values["home_widget.double.n"] = marker.map { .bool($0) }
            let findings = try found(store, file(values), .group, .android)
            expect(
                findings,
                expected.map { [(.store($0), "n", severity)] } ?? [],
                in: "shared_prefs/a.xml"
            )
        }
    }

    @Test func `A key that another one replaced is recognized by its document`() throws {
        let document = StoreValue.string(#"{"v":1,"n":2}"#)
        expect(
            try found(Self.text, file(["new": document, "x": .string("{}")]), versions: Self.versions),
            [(.store(.otherKey("new")), "data", .error)]
        )
        let two = file(["new": document, "newer": document])
        expect(try found(Self.text, two, versions: Self.versions), [(.store(.missingKey), "data", .note)])
        expect(try found(Self.text, file(["new": document])), [(.store(.missingKey), "data", .note)])
    }

    @Test func `A container whose files everyone may replace is found`() throws {
        let found = try DoctorTests.findings { $0.containers.group?.mode = 0o777 }
        #expect(found == [Finding(.container(.exposed(0o777)), at: .path("/c/group"))])
        #expect(try DoctorTests.findings { $0.containers.group?.mode = 0o1777 } == [])
    }
}
