/// A lens, as the manual explains it.
struct DescribedLens {
    var name: String
    /// Examples of the value after the lens's name.
    var examples: [String]
    var text: String
    /// The data that is lost by migrating a document without a bridge, to a newer or an older version.
    var loss: String

    init(_ name: String, _ examples: String..., text: String, loses loss: String = "nothing") {
        self.name = name
        self.examples = examples
        self.text = text
        self.loss = loss
    }

    var term: ManualTerm {
        let code = lines.map { "- \($0)" }.joined(separator: "\n")
        return ManualTerm("`\(name):`", "\(text) Loses: \(loss).", code: code)
    }

    var lines: [String] { examples.map { "\(name): \($0)" } }

    static let all = ofFields + ofPlaces + ofValues + ofWholes + ofTables

    private static let ofFields: [DescribedLens] = [
        DescribedLens(
            "add",
            "{field: colour, value: red, after: name}",
            "{field: updatedAt, copy: createdAt}",
            "{field: open, count: /tasks/*, where: {required: [title]}}",
            "{field: total, sum: /rows/*/amount}",
            "{field: name, join: [first, last], by: \" \", first: true}",
            text: """
                Adds a field where it is missing: a `value`, a `copy` of another field, a `count` or a \
                `sum` of the values at a pointer with `*` (with `where`, a schema, the count of those that \
                fit it), or a `join` of other fields with `by` between them. `first: true` or `after` \
                gives its position. On the way back the field is removed.
                """,
            loses:
                "the field where it was not missing; on the way back, a value other than the one that it adds"
        ),
        DescribedLens(
            "default",
            "{field: colour, value: red}",
            text: """
                Like `add`, with all its keys, for a field that old documents may have, too. The way back \
                removes only the value that it adds.
                """,
            loses: "that a document already had this value"
        ),
        DescribedLens(
            "omit",
            "{field: note, value: null}",
            text: "Leaves out a field that has this value, and adds it on the way back.",
            loses: "on the way back, whether the field was missing"
        ),
        DescribedLens(
            "copy",
            "{from: createdAt, to: updatedAt}",
            text: "Adds a field with the value of another.",
            loses: "as `add`"
        ),
        DescribedLens(
            "remove",
            "draft",
            "{field: draft, default: false}",
            text: "Removes a field, and on the way back adds the `default`, if there is one.",
            loses: "the field's value, unless it is the default"
        ),
    ]

    private static let ofPlaces: [DescribedLens] = [
        DescribedLens(
            "rename",
            "{from: title, to: name}",
            text: "Gives a field another name, in its place. It is refused where the new name is taken.",
            loses: "that a field had the new name already"
        ),
        DescribedLens(
            "renamePrefix",
            "{from: flutter., to: \"\"}",
            text: """
                Gives each field whose name begins with `from` a name that begins with `to`. It is refused \
                where that name is taken.
                """,
            loses: "that a name began with the other prefix already"
        ),
        DescribedLens(
            "move",
            "{from: /size, to: /layout/size}",
            text: """
                Moves a field from one JSON Pointer to another. It creates missing objects, and removes \
                those that it leaves empty. It is refused if the target exists.
                """,
            loses: "an empty object where it moves the field to; a field that is there already, by its place"
        ),
        DescribedLens(
            "hoist",
            "{field: size, from: layout}",
            text: "Moves a field out of an object.",
            loses: "as `move`"
        ),
        DescribedLens(
            "plunge",
            "{field: size, into: layout}",
            text: "Moves a field into an object.",
            loses: "as `move`"
        ),
    ]

    private static let ofValues: [DescribedLens] = [
        DescribedLens(
            "convert",
            "{field: updatedAt, from: milliseconds, to: iso8601}",
            text: """
                Converts a value from the form `from`, or one of a list of forms, to `to`; see below. A \
                value that has none of the forms is refused.
                """,
            loses: "see below"
        ),
        DescribedLens(
            "map",
            "{field: priority, values: [{old: [0, 1], new: low}, {old: 2, new: high}]}",
            "{field: state, values: [{old: on, new: true}], default: {old: off, new: false}}",
            text: """
                Replaces values by others. If several become one, the way back writes the first of them. \
                Values that are not listed stay, or become the `default` of that side.
                """,
            loses: """
                which of several it was, and a value that is not listed and becomes the default or \
                equals one of the other side
                """
        ),
        DescribedLens(
            "scale",
            "{field: amount, by: 0.01, digits: {old: 0, new: 2}}",
            text: """
                Multiplies a number by a decimal or by a fraction such as `1/3`, and divides it on the \
                way back, with every digit. `digits` limits the digits after the decimal point; a number \
                that needs more is refused, or with `round: true` rounded half to even.
                """,
            loses: "nothing, or what is rounded"
        ),
        DescribedLens(
            "prefix",
            "{field: source, from: \"\", to: \"# \"}",
            text: """
                Replaces the beginning of a text, or of the first text of a list. A text that does not \
                begin with `from` is refused.
                """
        ),
        DescribedLens(
            "split",
            "{field: name, into: [first, last], by: \" \"}",
            text: "Splits a text at `by` into fields; the last one has the rest.",
            loses: "on the way back, parts (except the last) with the separator in them, and `null`"
        ),
        DescribedLens(
            "join",
            "{fields: [street, town], into: address, by: \", \"}",
            text: "Joins fields into one text, with `by` between them.",
            loses: """
                parts (except the last) with the separator in them, `null`, and whether a field in between \
                was missing
                """
        ),
    ]

    private static let ofWholes: [DescribedLens] = [
        DescribedLens(
            "wrap",
            "data",
            text: "Makes the object a member of a new one.",
            loses: "on the way back, other members beside that one"
        ),
        DescribedLens(
            "unwrap",
            "data",
            text: "Replaces an object by one of its members. It is refused if the member is missing.",
            loses: "the other members"
        ),
        DescribedLens(
            "nest",
            "\".\"",
            text: """
                Turns fields whose names are paths, such as `window.size`, into objects in each other. A \
                field whose name has an empty part stays. It is refused where a part is no object.
                """,
            loses: "the order of fields that come together, and a value that is an object with fields"
        ),
        DescribedLens(
            "unnest",
            "\".\"",
            text: "Turns objects into fields whose names are paths: `nest` the other way round.",
            loses: "a name with the separator in it"
        ),
        DescribedLens(
            "in",
            "{field: /settings, lenses: [{remove: draft}]}",
            text: "Runs lenses inside the value at a JSON Pointer.",
            loses: "what those lenses lose"
        ),
        DescribedLens(
            "each",
            "{field: /notes, lenses: [{rename: {from: title, to: name}}]}",
            "{field: /cells, where: {properties: {type: {const: code}}}, lenses: [{remove: level}]}",
            text: """
                Runs lenses in each element of an array. With `where`, a schema, only in those that match it \
                before, on the way back in the newer version; `where: {old: SCHEMA, new: SCHEMA}` has one \
                for each version.
                """,
            loses: "what those lenses lose"
        ),
    ]

    private static let ofTables: [DescribedLens] = [
        DescribedLens(
            "eachRow",
            "{field: /tasks, lenses: [{rename: {from: title, to: name}}]}",
            text: """
                As `each`, also with `where`, for each row of a table, which is an object with a row for each \
                key.
                """,
            loses: "what those lenses lose"
        ),
        DescribedLens(
            "extract",
            "{rows: /tasks, field: group, into: /groups, as: groupId, title: title}",
            text: """
                Turns a text column of a table into a new table, and refers to its rows by id. `id`, \
                `order`, `step` and `smallest` add columns to the new table: the id, the order of the \
                texts in steps, and the smallest text of the rows that refer to it.
                """,
            loses: "on the way back, unreferenced rows, their other columns, and references to no row"
        ),
        DescribedLens(
            "orderBy",
            "{rows: /tasks, field: order, by: createdAt, step: 10}",
            text: "Numbers the rows of a table in the order of a column, in steps of `step`.",
            loses: "on the way back, a number that differs from the order"
        ),
    ]
}
