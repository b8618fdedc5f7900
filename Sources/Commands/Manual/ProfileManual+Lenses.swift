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
            A lens is one invertible step from a version to the next. `lenses:` is a list of them; the way \
            back runs the list from its end. Each is a mapping with one key. The losses below are what the \
            newer document alone cannot give back: a bridge keeps lost values in the last agreed content, \
            and restores them; `migrate rollback` restores the original bytes.
            """
        ),
        .terms(DescribedLens.all.map(\.term)),
        .heading("Forms of convert"),
        .text(
            """
            If `from` is a list of forms, such as `from: [iso8601, milliseconds]`, the way back writes the \
            first, unless the last agreed document has another: a value in another form is a loss. A field \
            that is missing or `null` stays so.
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
            "Also from `[0/1, boolean]` or `[boolean, 0/1]`. Loses: a value in the second form."
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
            Also the other way round. Loses: from a value to a list, nothing; from a list to a value, all \
            elements but the first, and that a list was empty.
            """
        ),
        DescribedConversion(
            "{field: tags, from: text, to: list, by: \",\"}",
            """
            Also the other way round. Loses: a separator inside an element, and that a list had one empty \
            text.
            """
        ),
        DescribedConversion(
            "{field: state, from: json, to: value}",
            """
            A string that is JSON, and the value that it represents. Also the other way round. Loses: how \
            the text was written (white space, escapes), and the text `null`.
            """
        ),
        DescribedConversion(
            "{field: pages, from: lists, to: list}",
            """
            A list of lists, and one list of all their elements. Also the other way round, which gives one \
            list, or lists as long as those that were agreed last. Loses: where one list ended.
            """
        ),
        DescribedConversion(
            "{field: tasks, from: list, to: table, id: id, order: order}",
            """
            Also the other way round. `id` names the rows, and must be unique. Loses: the order of the \
            list, unless `order` stores it in a column; the key of a row, if it differs from the row's \
            `id`.
            """
        ),
    ]

    static let timeForms: [(name: String, text: String)] = [
        ("iso8601", "RFC 3339, written in UTC, such as `2026-01-18T14:30:00Z`"),
        ("local", "the same without a zone, in the local time of the profile's time zone"),
        ("seconds2001", "a number of seconds since 2001, as Swift writes a `Date`"),
        ("seconds1970", "a number of seconds since 1970"),
        ("seconds1970Text", "the same as a string"),
        ("milliseconds", "a number of milliseconds since 1970"),
        ("millisecondsText", "the same as a string"),
        ("date", "a day, such as `2026-01-18`; its first instant"),
    ]
}
