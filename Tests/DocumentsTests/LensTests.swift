import Documents
import Testing

/// Each lens alone, in a profile with two versions.
@Suite("Lenses")
struct LensTests {
    private func rule(_ lenses: String, extra: String = "") throws -> DocumentRule {
        let indented = lenses.split(separator: "\n").map { "          \($0)" }.joined(separator: "\n")
        let yaml = """
            profile: p
            timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
            documents:
              d.json:
                version: {field: version, missing: 1}
                versions:
                  1: {}
                  2:
                    lenses:
            \(indented)
            \(extra)
            """
        return try Profile(yaml: yaml, file: "p.yaml").rule(for: "d.json")
    }

    private func up(_ lenses: String, _ text: String) throws -> String {
        try rule(lenses).translate(JSON(text), from: 1, to: 2, agreed: nil).string
    }

    private func down(_ lenses: String, _ text: String) throws -> String {
        try rule(lenses).translate(JSON(text), from: 2, to: 1, agreed: nil).string
    }

    /// Lens, version 1, version 2; checked in both directions.
    @Test(
        "a lens works in both directions",
        arguments: [
            ("- rename: {from: a, to: b}", #"{"x":1,"a":2,"y":3}"#, #"{"version":2,"x":1,"b":2,"y":3}"#),
            ("- rename: {from: a, to: b}", #"{"x":1}"#, #"{"version":2,"x":1}"#),
            ("- wrap: d", #"{"x":1}"#, #"{"version":2,"d":{"x":1}}"#),
            ("- unwrap: d", #"{"d":{"x":1}}"#, #"{"version":2,"x":1}"#),
            ("- hoist: {field: a, from: o}", #"{"o":{"b":1,"a":2}}"#, #"{"version":2,"o":{"b":1},"a":2}"#),
            ("- plunge: {field: a, into: o}", #"{"o":{"b":1},"a":2}"#, #"{"version":2,"o":{"b":1,"a":2}}"#),
            (
                "- move: {from: /o/a, to: /q/c}", #"{"o":{"x":1,"a":2},"q":{"y":3}}"#,
                #"{"version":2,"o":{"x":1},"q":{"y":3,"c":2}}"#
            ),
            (
                "- add: {field: n, value: {a: [1, no]}}", #"{"x":1}"#,
                #"{"version":2,"x":1,"n":{"a":[1,"no"]}}"#
            ),
            ("- copy: {from: a, to: b}", #"{"a":1}"#, #"{"version":2,"a":1,"b":1}"#),
            (
                "- convert: {field: f, from: 0/1, to: boolean}", #"{"f":1,"g":0}"#,
                #"{"version":2,"f":true,"g":0}"#
            ),
            (
                "- convert: {field: f, from: text, to: number}", #"{"f":"-12.340"}"#,
                #"{"version":2,"f":-12.340}"#
            ),
            ("- convert: {field: f, from: number, to: text}", #"{"f":1e400}"#, #"{"version":2,"f":"1e400"}"#),
            (
                "- convert: {field: f, from: text, to: integer}", #"{"f":"-12345678901234567890"}"#,
                #"{"version":2,"f":-12345678901234567890}"#
            ),
            ("- convert: {field: f, from: integer, to: text}", #"{"f":7}"#, #"{"version":2,"f":"7"}"#),
            ("- convert: {field: f, from: number, to: text}", #"{"f":null}"#, #"{"version":2,"f":null}"#),
            (
                "- map: {field: p, values: [{old: 0, new: high}, {old: 1, new: low}]}", #"{"p":1,"q":0}"#,
                #"{"version":2,"p":"low","q":0}"#
            ),
            (
                "- map: {field: p, values: [{old: 0, new: high}]}", #"{"p":7}"#, #"{"version":2,"p":7}"#
            ),
            (
                "- in: {field: /o/i, lenses: [rename: {from: a, to: b}]}", #"{"o":{"i":{"a":1}},"a":2}"#,
                #"{"version":2,"o":{"i":{"b":1}},"a":2}"#
            ),
            ("- in: {field: /o, lenses: [wrap: w]}", #"{"o":[1]}"#, #"{"version":2,"o":{"w":[1]}}"#),
            (
                "- each: {field: /l, lenses: [rename: {from: a, to: b}, {add: {field: c, value: 0}}]}",
                #"{"l":[{"a":1},{"a":2}]}"#, #"{"version":2,"l":[{"b":1,"c":0},{"b":2,"c":0}]}"#
            ),
            (
                "- eachRow: {field: /t, lenses: [rename: {from: a, to: b}]}",
                #"{"t":{"r1":{"a":1},"r2":{"a":2}}}"#, #"{"version":2,"t":{"r1":{"b":1},"r2":{"b":2}}}"#
            ),
            ("- each: {field: /l, lenses: [wrap: w]}", #"{"l":null}"#, #"{"version":2,"l":null}"#),
            (
                "- each: {field: /l, where: {required: [a]}, lenses: [{add: {field: b, value: 0}}]}",
                #"{"l":[{"a":1},{"c":2}]}"#, #"{"version":2,"l":[{"a":1,"b":0},{"c":2}]}"#
            ),
            (
                "- each: {field: /l, where: {old: {required: [a]}, new: {required: [b]}}, "
                    + "lenses: [rename: {from: a, to: b}]}",
                #"{"l":[{"a":1},{"c":2}]}"#, #"{"version":2,"l":[{"b":1},{"c":2}]}"#
            ),
            (
                "- eachRow: {field: /t, where: {required: [a]}, lenses: [{remove: {field: z, default: 1}}]}",
                #"{"t":{"r":{"a":1,"z":1},"s":{"z":2}}}"#, #"{"version":2,"t":{"r":{"a":1},"s":{"z":2}}}"#
            ),
            (
                "- convert: {field: s, from: json, to: value}", #"{"s":"{\"a\":[1.50,null]}","t":"x"}"#,
                #"{"version":2,"s":{"a":[1.50,null]},"t":"x"}"#
            ),
            (
                "- convert: {field: s, from: value, to: json}", #"{"s":["ü",1]}"#,
                #"{"version":2,"s":"[\"ü\",1]"}"#
            ),
            (
                "- convert: {field: s, from: json, to: value}\n- in: {field: /s, lenses: [{rename: {from: a, to: b}}]}\n"
                    + "- convert: {field: s, from: value, to: json}", #"{"s":"{\"a\":7}"}"#,
                #"{"version":2,"s":"{\"b\":7}"}"#
            ),
            (
                "- convert: {field: l, from: lists, to: list}", #"{"l":[[1,{"a":2}]]}"#,
                #"{"version":2,"l":[1,{"a":2}]}"#
            ),
            ("- convert: {field: l, from: lists, to: list}", #"{"l":[]}"#, #"{"version":2,"l":[]}"#),
            ("- convert: {field: l, from: list, to: lists}", #"{"l":[1,2]}"#, #"{"version":2,"l":[[1,2]]}"#),
            ("- prefix: {field: s, from: \"\", to: \"# \"}", #"{"s":"T"}"#, ##"{"version":2,"s":"# T"}"##),
            (
                "- prefix: {field: s, from: \"a/\", to: \"b/\"}", #"{"s":["a/x","a/y"]}"#,
                #"{"version":2,"s":["b/x","a/y"]}"#
            ),
            (
                "- renamePrefix: {from: flutter., to: \"\"}", #"{"flutter.a":1,"flutter.b":2}"#,
                #"{"version":2,"a":1,"b":2}"#
            ),
            (
                "- renamePrefix: {from: a-, to: b-}", #"{"a-x":1,"y":2}"#, #"{"version":2,"b-x":1,"y":2}"#
            ),
            (
                "- nest: \".\"", #"{"a.b":1,"a.c.d":[{"e.f":2}],"g":{}}"#,
                #"{"version":2,"a":{"b":1,"c":{"d":[{"e.f":2}]}},"g":{}}"#
            ),
            ("- unnest: /", #"{"a":{"b":{"c":1}},"d":2}"#, #"{"version":2,"a/b/c":1,"d":2}"#),
        ]
    )
    func goesBothWays(lens: String, v1: String, v2: String) throws {
        #expect(try up(lens, v1) == v2)
        #expect(try down(lens, v2) == v1)
        #expect(try rule(lens).migration(of: JSON(v1), from: 1, to: 2).losses == [])
    }

    /// Forms, version 1, version 2.
    @Test(
        "a time is the same in every form, to its last digit",
        arguments: [
            ("seconds2001", "790439400", #""2026-01-18T14:30:00Z""#),
            ("seconds2001", "790439400.1229999", #""2026-01-18T14:30:00.1229999Z""#),
            ("seconds2001", "-978307200", #""1970-01-01T00:00:00Z""#),
            ("seconds2001", "-0.25", #""2000-12-31T23:59:59.75Z""#),
            ("seconds2001", "-1.50", #""2000-12-31T23:59:58.50Z""#),
            ("seconds2001", "0.0", #""2001-01-01T00:00:00.0Z""#),
            ("seconds1970", "1768746600", #""2026-01-18T14:30:00Z""#),
            ("seconds1970", "1768746600.250", #""2026-01-18T14:30:00.250Z""#),
            ("seconds1970", "-0.25", #""1969-12-31T23:59:59.75Z""#),
            ("seconds1970Text", #""1768746600""#, #""2026-01-18T14:30:00Z""#),
            ("date", #""2026-01-18""#, #""2026-01-17T23:00:00Z""#),
            ("date", #""2026-07-18""#, #""2026-07-17T22:00:00Z""#),
            ("date", #""2024-02-29""#, #""2024-02-28T23:00:00Z""#),
            ("milliseconds", "1768746600123", #""2026-01-18T14:30:00.123Z""#),
            ("milliseconds", "0", #""1970-01-01T00:00:00.000Z""#),
            ("milliseconds", "-1", #""1969-12-31T23:59:59.999Z""#),
            ("millisecondsText", #""1768746600123""#, #""2026-01-18T14:30:00.123Z""#),
            ("local", #""2026-01-18T15:30:00.123456""#, #""2026-01-18T14:30:00.123456Z""#),
            ("local", #""2026-07-18T15:30:00""#, #""2026-07-18T13:30:00Z""#),
            ("local", #""2026-01-01T00:30:00""#, #""2025-12-31T23:30:00Z""#),
            ("local", #""2024-02-29T12:00:00""#, #""2024-02-29T11:00:00Z""#),
            ("iso8601", #""2026-01-18T14:30:00Z""#, #""2026-01-18T14:30:00Z""#),
        ]
    )
    func times(form: String, v1: String, v2: String) throws {
        let lens = "- convert: {field: t, from: \(form), to: iso8601}"
        #expect(try up(lens, "{\"t\":\(v1)}") == "{\"version\":2,\"t\":\(v2)}")
        #expect(try down(lens, "{\"version\":2,\"t\":\(v2)}") == "{\"t\":\(v1)}")
    }

    @Test(
        "a value that a form cannot represent is a reported loss",
        arguments: [
            (
                "local", #""2026-10-25T02:30:00""#, #""2026-10-25T00:30:00Z""#,
                TimeLoss.repeatedHour
            ),
            (
                "local", #""2026-03-29T02:30:00""#, #""2026-03-29T01:30:00Z""#,
                .skippedHour
            ),
            (
                "iso8601", #""1998-12-31T23:59:60Z""#, #""1999-01-01T00:00:00Z""#,
                .leapSecond
            ),
        ]
    )
    func lossyTimes(form: String, v1: String, v2: String, loss: TimeLoss) throws {
        let lens = "- convert: {field: t, from: \(form), to: iso8601}"
        let migration = try rule(lens).migration(of: JSON("{\"t\":\(v1)}"), from: 1, to: 2)
        #expect(migration.document.string == "{\"version\":2,\"t\":\(v2)}")
        #expect(migration.losses.first == Loss(pointer: "/t", reason: .time(loss)))
    }

    @Test("digits beyond milliseconds stay in the base")
    func finerThanMilliseconds() throws {
        let lens = "- convert: {field: t, from: milliseconds, to: iso8601}\n- add: {field: n, value: 0}"
        let rule = try rule(lens)
        let v2 = try JSON(#"{"version":2,"t":"2026-01-18T14:30:00.123456Z","n":5,"x":1}"#)
        let v1 = try rule.translate(v2, from: 2, to: 1, agreed: nil)
        #expect(v1.string == #"{"t":1768746600123,"x":1}"#)
        #expect(
            try rule.migration(of: v2, from: 2, to: 1).losses.first
                == Loss(pointer: "/t", reason: .time(.digits))
        )
        let edited = try JSON(#"{"t":1768746600123,"x":2}"#)
        #expect(
            try rule.translate(edited, from: 1, to: 2, agreed: (v1, v2)).string
                == v2.string.replacing("\"x\":1", with: "\"x\":2")
        )
        let moved = try JSON(#"{"t":1768746600124,"x":1}"#)
        #expect(
            try rule.translate(moved, from: 1, to: 2, agreed: (v1, v2)).string
                == v2.string.replacing("123456", with: "124")
        )
    }

    @Test("a date has no time of day, which stays in the base")
    func datesOnly() throws {
        let rule = try rule("- convert: {field: t, from: date, to: iso8601}")
        let v2 = try JSON(#"{"version":2,"t":"2026-01-18T14:30:00Z","x":1}"#)
        let migration = try rule.migration(of: v2, from: 2, to: 1)
        #expect(migration.document.string == #"{"t":"2026-01-18","x":1}"#)
        #expect(migration.losses.first == Loss(pointer: "/t", reason: .time(.timeOfDay)))
        let edited = try JSON(#"{"t":"2026-01-18","x":2}"#)
        #expect(
            try rule.translate(edited, from: 1, to: 2, agreed: (migration.document, v2)).string
                == v2.string.replacing("\"x\":1", with: "\"x\":2")
        )
    }

    @Test(
        "a text that is not a whole number, and a number that is not whole, are refused",
        arguments: [
            (true, #""007""#), (true, #""1.0""#), (true, #""1e3""#), (true, #""-0""#), (true, #""+7""#),
            (true, "1.5"), (true, "true"), (false, "1.5"), (false, #""a""#), (false, "1e9999"),
        ]
    )
    func refusesIntegers(isUp: Bool, value: String) throws {
        let lens = "- convert: {field: a, from: text, to: integer}"
        #expect(throws: DocumentError.self) {
            try isUp ? up(lens, #"{"a":\#(value)}"#) : down(lens, #"{"version":2,"a":\#(value)}"#)
        }
    }

    @Test("the second occurrence of a repeated hour is a loss on the way down")
    func secondHour() throws {
        let rule = try rule("- convert: {field: t, from: local, to: iso8601}")
        let v2 = try JSON(#"{"version":2,"t":"2026-10-25T01:30:00Z"}"#)
        let migration = try rule.migration(of: v2, from: 2, to: 1)
        #expect(migration.document.string == #"{"t":"2026-10-25T02:30:00"}"#)
        #expect(migration.losses.first?.reason == .time(.secondOfRepeatedHour))
        // Without a change it stays the second one.
        let v1 = migration.document
        let spaced = try JSON(#"{"t": "2026-10-25T02:30:00"}"#)
        #expect(try rule.translate(spaced, from: 1, to: 2, agreed: (v1, v2)).bytes == v2.bytes)
    }

    @Test("a removed field is restored from the base, or gets its default")
    func removes() throws {
        let rule = try rule("- remove: {field: a, default: 7}\n- remove: b")
        let v1 = try JSON(#"{"a":1,"b":2,"c":3}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        #expect(v2.string == #"{"version":2,"c":3}"#)
        #expect(try rule.translate(v2, from: 2, to: 1, agreed: nil).string == #"{"c":3,"a":7}"#)
        let edited = try JSON(#"{"version":2,"c":4}"#)
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1)).string == #"{"a":1,"b":2,"c":4}"#
        )
        #expect(try rule.migration(of: v1, from: 1, to: 2).losses.map(\.pointer) == ["/b", "/a"])
    }

    @Test("values that only one version has stay with the element of the same ID")
    func elements() throws {
        let rule = try rule("- each: {field: /l, lenses: [{add: {field: n, value: 0}}]}")
        let v1 = try JSON(#"{"l":[{"id":1,"a":1},{"id":2,"a":2}]}"#)
        let v2 = try JSON(#"{"version":2,"l":[{"id":1,"a":1,"n":10},{"id":2,"a":2,"n":20}]}"#)
        let edited = try JSON(#"{"l":[{"id":3,"a":0},{"id":2,"a":5}]}"#)
        #expect(
            try rule.translate(edited, from: 1, to: 2, agreed: (v1, v2)).string
                == #"{"version":2,"l":[{"id":3,"a":0,"n":0},{"id":2,"a":5,"n":20}]}"#
        )
    }

    @Test(
        "a document that a lens cannot migrate is reported with its position",
        arguments: [
            (
                "- convert: {field: t, from: seconds2001, to: iso8601}", #"{"t":true}"#,
                "expected a number of seconds since 2001 at `/t`, found `true`"
            ),
            (
                "- convert: {field: t, from: seconds2001, to: iso8601}", #"{"t":1e300}"#,
                "expected a number of seconds since 2001, in the years 0 to 9999 at `/t`, found `1e300`"
            ),
            (
                "- convert: {field: t, from: local, to: iso8601}", #"{"t":"2026-02-30T00:00:00"}"#,
                "expected a local time such as `2026-01-18T14:30:00` at `/t`"
            ),
            (
                "- convert: {field: f, from: 0/1, to: boolean}", #"{"f":2}"#,
                "expected `true`, `false`, 0 or 1 at `/f`, found `2`"
            ),
            (
                "- convert: {field: f, from: text, to: number}", #"{"f":"12,5"}"#,
                "expected a decimal number as a string at `/f`, found `\"12,5\"`"
            ),
            (
                "- rename: {from: a, to: b}", #"{"a":1,"b":2}"#,
                "expected no field (the migration adds it) at `/b`, found `2`"
            ),
            (
                "- each: {field: /l, lenses: [rename: {from: a, to: b}]}", #"{"l":[{},7]}"#,
                "expected an object at `/l/1`, found `7`"
            ),
            (
                "- convert: {field: s, from: json, to: value}", #"{"s":"{a}"}"#,
                "expected a string that is JSON at `/s`, found `\"{a}\"`"
            ),
            (
                "- convert: {field: l, from: lists, to: list}", #"{"l":[[],7]}"#,
                "expected an array at `/l/1`, found `7`"
            ),
            (
                "- prefix: {field: s, from: \"a/\", to: \"\"}", #"{"s":"b/x"}"#,
                "expected a string that begins with `a/` at `/s`, found `\"b/x\"`"
            ),
            (
                "- renamePrefix: {from: a., to: \"\"}", #"{"a.x":1,"x":2}"#,
                "expected no field (the migration adds it) at `/x`, found `2`"
            ),
            (
                "- nest: \".\"", #"{"a":1,"a.b":2}"#,
                "expected an object at `/a` at ``, found `1`"
            ),
            (
                "- each: {field: /l, lenses: [wrap: w]}", #"{"l":{}}"#,
                "expected an array at `/l`, found an object"
            ),
            (
                "- eachRow: {field: /t, lenses: [wrap: w]}", #"{"t":[]}"#,
                "expected a table at `/t`, found an array"
            ),
            (
                "- hoist: {field: a, from: o}", #"{"o":{"a":1,"a":2}}"#,
                "1:13: duplicate key `a`"
            ),
        ]
    )
    func tellsPlaces(lens: String, text: String, reason: String) throws {
        #expect {
            try up(lens, text)
        } throws: {
            let found = ($0 as? DocumentError)?.reason ?? "\($0)"
            if !found.contains(reason) { Issue.record("\(found)") }
            return true
        }
    }
}
