import Documents
import Testing

@testable import Presentation

@Suite("A message") struct MessageTests {
    private func text(
        _ message: String,
        _ values: [String: JSONValue] = [:],
        locale: String = "en_US",
        zone: TimeZoneRules = .utc
    ) throws -> String {
        // ICU separates a number and its sign by spaces that do not break.
        try Message(parsing: message).text(values, in: Message.Setting(locale: locale, zone: zone))
            .replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
    }

    private func words(_ text: String) -> JSONValue { .string(Array(text.utf8)) }

    @Test func `is a text with arguments`() throws {
        #expect(try text("No accounts yet") == "No accounts yet")
        #expect(try text("{a} of { b }", ["a": .number("5"), "b": words("ten")]) == "5 of ten")
        #expect(try text("{a}, {b}!", ["a": .bool(true), "b": .null]) == "true, !")
        #expect(try text("{a}", ["a": .array([.number("1"), .number("2")])]) == "[1,2]")
    }

    @Test func `quotes its syntax with apostrophes`() throws {
        #expect(try text("It''s '{'{a}'}'", ["a": .number("1")]) == "It's {1}")
        #expect(try text("don't") == "don't")
        #expect(try text("'{it''s}'") == "{it's}")
        #expect(try text("#{n, plural, other {# '#'}}", ["n": .number("2")]) == "#2 #")
    }

    @Test func `chooses by the plural form of its language`() throws {
        let english = "{n, plural, =0 {none} one {# task} other {# tasks}}"
        #expect(try text(english, ["n": .number("0")]) == "none")
        #expect(try text(english, ["n": .number("1")]) == "1 task")
        #expect(try text(english, ["n": .number("1.0")]) == "1 task")
        #expect(try text(english, ["n": .number("1234")]) == "1,234 tasks")
        #expect(try text(english, ["n": .number("-1")]) == "-1 task")
        #expect(try text(english, ["n": words("x")]) == "x tasks")
        let russian = "{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}"
        let expected = ["1": "1 день", "3": "3 дня", "11": "11 дней", "21": "21 день", "25": "25 дней"]
        for (number, shown) in expected {
            #expect(try text(russian, ["n": .number(number)], locale: "ru_RU") == shown)
        }
        let guests = "{n, plural, offset:1 =1 {you} one {you and # other} other {you and # others}}"
        #expect(try text(guests, ["n": .number("1")]) == "you")
        #expect(try text(guests, ["n": .number("2")]) == "you and 1 other")
        #expect(try text(guests, ["n": .number("4")]) == "you and 3 others")
    }

    @Test func `chooses by ordinal and by word`() throws {
        let place = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}"
        #expect(
            try ["1", "2", "3", "4", "11", "22"].map { try text(place, ["n": .number($0)]) }
                == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]
        )
        let state = "{s, select, paid {Paid} true {Yes} null {Nothing} other {Open}}"
        #expect(try text(state, ["s": words("paid")]) == "Paid")
        #expect(try text(state, ["s": .bool(true)]) == "Yes")
        #expect(try text(state, ["s": words("due")]) == "Open")
        #expect(try text(state) == "Nothing")
    }

    @Test func `writes numbers as the locale does`() throws {
        let number = ["n": JSONValue.number("12534.5")]
        #expect(try text("{n}", number, locale: "it_IT") == "12.534,5")
        #expect(try text("{n, number, integer}", number) == "12,534")
        #expect(try text("{n, number, compact}", number) == "13K")
        #expect(try text("{n, number, plain}", number, locale: "it_IT") == "12534.5")
        #expect(try text("{n, number, 0.00}", number) == "12534.50")
        #expect(try text("{n, number, #,##0.0#}", number, locale: "pt_BR") == "12.534,5")
        #expect(try text("{n, number, percent}", ["n": .number("0.235")], locale: "it_IT") == "24%")
        #expect(
            try text("{n, number, plain}", ["n": .number("12345678901234567890.123")])
                == "12345678901234567890.123"
        )
        #expect(try text("{n, number, integer}", ["n": words("x")]) == "x")
    }

    @Test func `writes money with the currency of the document or its own`() throws {
        let values: [String: JSONValue] = ["n": .number("12534.5"), "currency": words("EUR")]
        #expect(try text("{n, money, currency}", values, locale: "it_IT") == "12.534,50 €")
        #expect(try text("{n, money, BRL}", values, locale: "pt_BR") == "R$ 12.534,50")
        #expect(try text("{n, money, BRL compact}", values, locale: "pt_BR") == "R$ 13 mil")
        #expect(try text("{n, money, USD whole}", ["n": .number("500.0")]) == "$500")
        #expect(try text("{n, money, USD whole}", values) == "$12,534.50")
        // Money without a currency is a number.
        #expect(try text("{n, money, none}", values, locale: "it_IT") == "12.534,5")
    }

    @Test func `writes moments in the zone of the profile`() throws {
        let rome = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        let values: [String: JSONValue] = [
            "at": words("2026-01-18T13:05:09Z"), "day": words("2026-07-04"), "s": .number("1768741509"),
            "local": words("2026-01-18T14:05:09"),
        ]
        func italian(_ message: String) throws -> String {
            try text(message, values, locale: "it_IT", zone: rome)
        }
        for name in ["at", "s", "local"] {
            #expect(try italian("Agg. {\(name), date, dd/MM HH:mm}") == "Agg. 18/01 14:05")
        }
        #expect(try italian("{day, date, long}") == "4 luglio 2026")
        #expect(try italian("{day, date, EEEE d MMM yy}") == "sabato 4 lug 26")
        #expect(try italian("{at, time, short}") == "14:05")
        #expect(try text("{at, date, MMM d, yyyy · h:mm a}", values) == "Jan 18, 2026 · 1:05 PM")
        #expect(try italian("{s, date, short}") == "18/01/2026")
        #expect(try italian("{s, time, full}") == "14:05:09")
    }

    @Test func `writes days and hours from now`() throws {
        func days(_ number: String, _ locale: String) throws -> String {
            try text("{n, days}", ["n": .number(number)], locale: locale)
        }
        #expect(
            try ["-1", "0", "1", "3"].map { try days($0, "pt_BR") }
                == ["ontem", "hoje", "amanhã", "em 3 dias"]
        )
        #expect(
            try ["-2", "0", "1", "3"].map { try days($0, "en_US") }
                == ["2 days ago", "today", "tomorrow", "in 3 days"]
        )
        #expect(try text("{n, hours}", ["n": .number("-3")], locale: "it_IT") == "3 ore fa")
        #expect(try text("{n, minutes}", ["n": .number("5")]) == "in 5 minutes")
        #expect(try text("{n, days}", ["n": .number("1e30")]) == "1,000,000,000,000,000,000,000,000,000,000")
    }

    @Test func `names its arguments`() throws {
        let message = try Message(
            parsing: "{a} {n, plural, other {{b} {m, money, c}}} {a} {s, select, other {{d}}}"
        )
        #expect(message.arguments.map(\.name) == ["a", "n", "b", "m", "c", "s", "d"])
        #expect(message.arguments[0].column == 2)
    }

    @Test(arguments: [
        ("{a", 1), ("a}", 2), ("{}", 2), ("{a, wrong}", 5), ("{a, number, wrong}", 13), ("{a, money}", 5),
        ("{n, plural, one {x}}", 20), ("{n, plural, one {x} one {y} other {z}}", 21),
        ("{n, plural, some {x} other {y}}", 13), ("{s, select, a {x}}", 18), ("{n, plural}", 11),
        ("{n, plural, other x}", 19), ("{n, plural, other {x}", 1), ("{at, date, qq}", 12), ("{a b}", 1),
        ("{a, money, EUR often}", 12), ("{n, number, 0.0.0}", 13), ("{n, days, long}", 11),
    ])
    func `that is wrong is refused with its column`(_ text: String, _ column: Int) {
        #expect {
            try Message(parsing: text)
        } throws: {
            ($0 as? MessageError)?.column == column && !($0 as? MessageError).map(\.text).map(\.isEmpty)!
        }
    }

    @Test func `has bounds`() {
        let deep = String(repeating: "{s, select, other {", count: 11) + String(repeating: "}}", count: 11)
        #expect(throws: MessageError.self) { try Message(parsing: deep) }
        #expect(throws: MessageError.self) { try Message(parsing: String(repeating: "x", count: 20_000)) }
    }
}
