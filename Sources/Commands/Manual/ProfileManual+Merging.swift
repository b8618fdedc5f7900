extension ProfileManual {
    static let merging: [ManualBlock] = [
        .text(
            """
            Documents are merged key by key. If both sides changed a value, it is a conflict: the app's \
            value wins, and the other document is kept. Five keys of a document change that. All their \
            pointers lead into the newest version, and in `merge` and `keeps` a part `*` stands for any key \
            or index.
            """
        ),
        .heading("identity"),
        .text(
            """
            Identifies the elements of a list by a field: `identity: {/tasks: id}`. Elements with the same \
            value are the same, at any position. Instead of the field's name there may be a mapping:
            """
        ),
        identityKeys.terms,
        .code("identity: {/tasks: {field: id, renumber: true, references: [/parentId]}}"),
        .heading("tuples"),
        .text(
            """
            Names lists whose elements are identified by position, such as `tuples: [/position]`; \
            `\"\"` is the document itself.
            """
        ),
        .heading("ownership"),
        .text("Says who wins a conflict, such as `ownership: {group: [/checks]}`:"),
        ownershipKeys.terms,
        .heading("keeps"),
        .text(
            """
            Names, by side, fields that it neither changes nor deletes, such as `keeps: {group: [/notes]}` for \
            an older widget that drops what it does not know. What its program saves there is put back, and \
            the save goes to the trash.
            """
        ),
        .heading("merge"),
        .text("Rules for fields that both sides changed. A change that a rule decides is not a conflict."),
        .terms(mergeRules.map { ManualTerm("`\($0.rule)`", $0.text) }),
        .code(
            """
            merge:
              /updatedAt: newest
              /visits: sum
              /counts/done: {derived: {count: /tasks/*, where: {required: [doneAt]}}}
            """
        ),
        .text("`derived` has these keys, and either `count` or `sum`:"),
        derivedKeys.terms,
    ]

    static let identityKeys = ManualTable([
        .init("field", "<name>", "The field. Required."),
        .init(
            "renumber",
            "`true` or `false`",
            """
            Keeps two new elements that have the same number: the group's gets the next free one, also in \
            the references to it.
            """,
            default: "false"
        ),
        .init("references", "<list>", "Pointers within the element to fields that refer to another."),
    ])

    static let ownershipKeys = ManualTable([
        .init("group", "<list>", "JSON Pointers to the values for which the group wins."),
        .init("app", "<list>", "JSON Pointers to the values for which the app wins, as it does by default."),
    ])

    static let mergeRules: [(rule: String, text: String)] = [
        ("newest", "The later of two times or the larger of two numbers, compared by value."),
        ("max", "The larger of two."),
        ("min", "The smaller of two."),
        ("sum", "The last agreed value plus what each side added; it needs such a value."),
        ("set", "A list of scalars, with what either side added and without what either took out."),
        ("{mine: app}", "The app's, always."),
        ("{mine: group}", "The group's, always."),
        ("{derived: {count: /tasks/*}}", "Their number, computed after the rest is merged."),
        ("{derived: {sum: /rows/*/amount}}", "Their sum, computed after the rest is merged."),
    ]

    static let derivedKeys = ManualTable([
        .init("count", "<pointer>", "What is counted; a part of it is `*`."),
        .init("sum", "<pointer>", "What is added up; a part of it is `*`."),
        .init("where", "<schema>", "Counts only what fits this schema."),
    ])
}
