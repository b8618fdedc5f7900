import Documents
import Testing

@Suite struct ExpressionTimeTests {
    /// 2026-03-28T22:30:00Z: half past eleven in the evening in Berlin, before a day of 23 hours.
    static let now = 1_774_737_000
    /// 2026-03-28T23:00:00Z.
    static let midnight = 1_774_738_800

    static func surroundings(_ surroundings: inout JSONExpression.Surroundings) {
        surroundings.now = now
        surroundings.zone = .berlin
    }

    static let cases: [(String, String, Int?)] = [
        ("date('2026-03-28T22:30:00.25Z')", "1774737000.25", nil),
        ("date('2026-03-28T23:30:00')", "1774737000", nil), ("date('2026-03-29')", "1774738800", nil),
        ("date(`1774737000000`, 'milliseconds')", "1774737000", nil),
        ("date('1774737000', 'seconds1970Text')", "1774737000", nil),
        ("date(`796429800`, 'seconds2001')", "1774737000", nil),
        ("$now", "1774737000", now + 1), ("$now - $now", "0", nil), ("[$now][0] > `0`", "true", now + 1),
        ("date('2026-03-28T22:31:00Z') > $now", "true", now + 60),
        ("date('2026-03-28T22:31:00Z') >= $now", "true", now + 61),
        ("$now < date('2026-03-28T22:31:00.5Z')", "true", now + 61),
        ("$now + duration('PT1M') < date('2026-03-28T22:31:00Z')", "false", nil),
        ("$now + duration('PT30S') < date('2026-03-28T22:31:00Z')", "true", now + 30),
        ("date('2026-03-28T22:31:00Z') - $now > `20`", "true", now + 40),
        ("date('2026-03-28T22:31:00Z') == $now", "false", now + 60),
        ("date('2026-03-28T22:30:00Z') == $now", "true", now + 1),
        ("date('2026-03-28T22:29:00Z') < $now", "true", nil),
        ("$now > `0` && $today", #""2026-03-28""#, midnight), ("$today", #""2026-03-28""#, midnight),
        ("local_date($now)", #""2026-03-28""#, midnight),
        ("local_date($now + `1800`)", #""2026-03-29""#, midnight + 23 * 3600 - 1800),
        ("days_until('2026-03-30')", "2", midnight), ("days_since('2026-03-27T23:30:00')", "1", midnight),
        ("days_until('2026-03-28T23:00:00Z')", "1", midnight),
        ("hours_until('2026-03-29T00:00:00Z')", "1", now + 1801),
        ("minutes_until('2026-03-28T22:29:59Z')", "-1", now + 60),
        ("minutes_since('2026-03-28T22:29:01Z')", "0", now + 1),
        ("hours_since('2026-03-28T20:30:00Z')", "2", now + 3600),
        ("days_between('2026-03-28', '2026-04-01')", "4", nil),
        ("add_days('2026-03-28T23:30:00', `1`) - date('2026-03-28T23:30:00')", "82800", nil),
        ("add_days('2026-03-29', `1`) - date('2026-03-29')", "82800", nil),
        ("start_of_day('2026-03-28T23:30:00')", "1774652400", nil),
        ("start_of_day($now)", "1774652400", midnight),
        ("weekday('2026-03-29')", "7", nil), ("weekday('1969-12-29')", "1", nil),
        ("weekday($today)", "6", midnight),
        ("duration('P1W')", "604800", nil), ("duration('P1DT2H30M0.5S')", "95400.5", nil),
        ("type($now)", #""number""#, nil), ("a || $now > `0`", "true", nil),
        ("$zone", #""Europe/Berlin""#, nil),
    ]

    @Test(arguments: cases)
    func `A function of time tells when its value changes`(
        expression: String,
        expected: String,
        change: Int?
    ) throws {
        let found = try evaluation(expression, Self.surroundings)
        #expect(String(decoding: found.value.bytes, as: UTF8.self) == expected)
        #expect(found.changesAt == change)
    }

    @Test(arguments: [
        "date('2026-02-30')", "date('tomorrow')", "date(`1e20`)", "date(`0`, 'local')", "date('x', 'y')",
        "add_days('2026-01-01', `99999999`)", "add_days('2026-01-01', `0.5`)", "duration('P')",
        "duration('PT')",
        "duration('P1Y')", "duration('P0.5D')", "duration('PT1M1H')",
    ])
    func `What is no time is an error`(expression: String) {
        #expect(fault(expression, Self.surroundings)?.kind == .invalidValue)
    }

    @Test func `Only what needs the zone asks for it`() throws {
        #expect(try value("date('2026-03-28T22:30:00Z')") == "1774737000")
        #expect(fault("date('2026-03-28')")?.reason == .undefinedVariable("zone"))
        #expect(fault("days_until('2026-03-28')") { $0.zone = .berlin }?.reason == .undefinedVariable("now"))
    }

    @Test func `Clocks that go back over midnight show two days in turn`() throws {
        // 2026-10-25: at midnight, summer time ends, and the clocks show 23:00 of the day before.
        let evening = try #require(UTCTime.milliseconds(rfc3339: "2026-10-24T23:30:00Z")) / 1000
        let days = try [0, 1799, 1800, 5399, 5400].map { later in
            try evaluation("$today") {
                $0.now = Int(evening) + later
                $0.zone = .lisbonWas
            }
        }
        #expect(
            days.map(\.value) == ["24", "24", "24", "24", "25"].map { .string(Array("2026-10-\($0)".utf8)) }
        )
        for day in days.dropLast() {
            let change = try #require(day.changesAt)
            #expect(change <= Int(evening) + 5400)
        }
    }

    @Test func `An expression tells what it depends on, and where`() throws {
        func uses(_ text: String) throws -> JSONExpression.Dependencies {
            try JSONExpression(parsing: text).dependencies
        }
        let all = try uses("a[?b > $now] | [$today, $locale, $config.x, $limit, $mine]")
        #expect(all.moment == JSONExpression.Use(name: "$now", column: 8))
        #expect(all.place == JSONExpression.Use(name: "$today", column: 17))
        #expect(all.widget == JSONExpression.Use(name: "$config", column: 34))
        #expect(all.free == [JSONExpression.Use(name: "$mine", column: 53)])
        #expect(try uses("days_until(a)").moment == JSONExpression.Use(name: "days_until", column: 1))
        #expect(try uses("local_date(a)").moment == nil)
        #expect(try uses("let $now = a, $limit = b in [$now, $limit]") == JSONExpression.Dependencies())
        #expect(try uses("a.now + config") == JSONExpression.Dependencies())
    }

    @Test func `Variables of the widget and of the caller have their values`() throws {
        let found = try value("[$family, $limit, $config.rows, $locale, $mine]") {
            $0.family = "systemSmall"
            $0.limit = 3
            $0.config = .object([.init(key: Array("rows".utf8), value: .number("1.0"))])
            $0.locale = "de-DE"
            $0.variables = ["mine": .bool(true)]
        }
        #expect(found == #"["systemSmall",3,1.0,"de-DE",true]"#)
    }
}
