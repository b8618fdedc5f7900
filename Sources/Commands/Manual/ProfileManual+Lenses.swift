/// Two forms between which the lens `convert` converts.
struct DescribedConversion {
    var example: String
    var text: String

    init(_ example: String, _ text: String) {
        self.example = example
        self.text = text
    }

    var term: ManualTerm { ManualTerm("`convert: \(example)`", text) }
}

extension ProfileManual {
    static let lenses: [ManualBlock] = [
        .text(
            """
            A lens is one step from a version to the next, which can be taken back. Under `lenses:` stands \
            a list of them; read from its end it leads back. Each is a mapping with one key. What is lost \
            is lost by a document that is migrated by itself: a bridge that is in sync keeps it in the \
            last agreed content, and brings it back.
            """
        ),
        .terms(DescribedLens.all.map(\.term)),
        .heading("Forms of convert"),
        .text(
            """
            Of a list of old forms, such as `from: [iso8601, milliseconds]`, the first is written on the \
            way back, unless the last agreed document has another. A field that is missing or `null` stays \
            so.
            """
        ),
        .terms(conversions.map(\.term) + timeForms.map { ManualTerm("`\($0.name)`", "A time: \($0.text).") }),
        .text(
            """
            A conversion of times loses a leap second, an hour that a clock change skips or repeats, \
            digits finer than milliseconds where the other form has none, and the time of the day where a \
            `date` takes its place. `local` and `date` need the profile's `timeZone`.
            """
        ),
    ]

    /// All conversions except those of times.
    static let conversions = [
        DescribedConversion(
            "{field: done, from: 0/1, to: boolean}",
            "Also from `[0/1, boolean]` or `[boolean, 0/1]`. Loses: nothing."
        ),
        DescribedConversion(
            "{field: amount, from: text, to: number}",
            "Also the other way round. Loses: nothing; every digit stays."
        ),
        DescribedConversion(
            "{field: count, from: text, to: integer}",
            "Also the other way round. Loses: nothing; a text such as `007` or `1.0` is refused."
        ),
        DescribedConversion(
            "{field: tag, from: value, to: list}",
            """
            Also the other way round. Loses: this way nothing; the other way all but the first of a \
            list, and that there was an empty one.
            """
        ),
        DescribedConversion(
            "{field: tags, from: text, to: list, by: \",\"}",
            """
            Also the other way round. Loses: a part with the separator in it, and that there was a list with \
            one empty text.
            """
        ),
        DescribedConversion(
            "{field: tasks, from: list, to: table, id: id, order: order}",
            """
            Also the other way round. `id` names the rows, and has to be another in each. Loses: the \
            order of the list, unless `order` makes a column of it; the name of a row that is not its \
            id.
            """
        ),
    ]

    static let timeForms: [(name: String, text: String)] = [
        ("iso8601", "RFC 3339, written in UTC, such as `2026-01-18T14:30:00Z`"),
        ("local", "the same without a zone, as the clocks show it in the profile's time zone"),
        ("seconds2001", "a number of seconds since 2001, as Swift writes a `Date`"),
        ("seconds1970", "a number of seconds since 1970"),
        ("seconds1970Text", "the same as a string"),
        ("milliseconds", "a number of milliseconds since 1970"),
        ("millisecondsText", "the same as a string"),
        ("date", "a day, such as `2026-01-18`; its first instant"),
    ]
}
