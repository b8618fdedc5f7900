import Testing

@testable import Documents

@Suite struct StalenessTests {
    private static let midnight: Int64 = 1_768_694_400_000
    private static let hour: Int64 = 3_600_000

    @Test(
        arguments: [
            (#""2026-01-18T01:00:00+01:00""#, 0), (#""2026-01-18T00:00:00.5Z""#, 500), (#""2026-01-18""#, 0),
            (#""2026-01-18T00:00:00""#, 0), ("1768694400000", 0), (#""1768694400000""#, 0), ("1768694400", 0),
            ("790387200", 0), ("790387200.25", 250),
        ] as [(String, Int64)]
    )
    func `The age of a document is told by its time, in whatever form`(_ text: String, after: Int64) throws {
        let rule = Staleness(field: JSONPointer("/at"), after: 3600, missingIsStale: true)
        let moment = rule.staleAt(try JSON(#"{"at":\#(text)}"#), saved: Self.midnight, zone: nil)
        #expect(moment == Self.midnight + after + Self.hour)
    }

    @Test func `A time ahead of the save, by more than clocks differ, is not the age of a document`() throws {
        let rule = Staleness(field: JSONPointer("/at"), after: 3600, missingIsStale: true)
        func staleAt(_ time: String) throws -> Int64 {
            rule.staleAt(try JSON(#"{"at":"\#(time)"}"#), saved: Self.midnight, zone: nil)
        }
        #expect(try staleAt("2026-01-18T01:00:00Z") == Self.midnight + 2 * Self.hour)
        #expect(try staleAt("2026-01-18T01:00:01Z") == Self.midnight + Self.hour)
        #expect(try staleAt("9999-12-31T23:59:59Z") == Self.midnight + Self.hour)
    }

    @Test(arguments: [("/ok", "`boolean`"), ("/l", "an array"), ("/o", "an object")])
    func `The time cannot be a field of another type`(_ field: String, _ kind: String) {
        let yaml = """
            profile: p
            documents:
              d.json:
                version: shapes
                versions:
                  1:
                    schema:
                      properties: {ok: {type: boolean}, l: {type: array}, o: {type: object, properties: {}}}
                stale: {after: 24 h, field: \(field)}
            """
        #expect {
            try Profile(yaml: yaml, file: "p")
        } throws: { error in
            let text = (error as? ProfileError)?.reason.text
            return text == "`stale` compares times and numbers, but `\(field)` is \(kind)"
        }
    }

    @Test(arguments: [("30 s", 30), ("2 min", 120), ("1 h", 3600), ("1 d", 86_400)])
    func `The age is given in seconds or longer units`(_ text: String, _ seconds: Int) throws {
        let yaml = "profile: p\ndocuments: {d.json: {stale: {after: \(text)}}}"
        #expect(try Profile(yaml: yaml, file: "p").rule(for: "d.json").staleness?.after == seconds)
    }

    @Test(arguments: ["{}", #"{"at":null}"#, #"{"at":[]}"#])
    func `A document without a time is as stale as the profile says`(_ text: String) throws {
        let document = try JSON(text)
        var rule = Staleness(field: JSONPointer("/at"), after: 3600, missingIsStale: true)
        #expect(rule.staleAt(document, saved: Self.midnight, zone: nil) == .min)
        rule.missingIsStale = false
        #expect(rule.staleAt(document, saved: Self.midnight, zone: nil) == .max)
        rule.field = nil
        #expect(rule.staleAt(document, saved: Self.midnight, zone: nil) == Self.midnight + Self.hour)
    }
}
