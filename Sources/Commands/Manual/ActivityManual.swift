/// The Live Activities of a profile, in widgetbridge.yaml(5).
enum ActivityManual {
    static let blocks: [ManualBlock] = [
        .heading("activities"),
        .text(
            """
            Each element of a list may have a Live Activity. It starts when a threshold is reached, and anew \
            with the next one; it ends after 8 hours at most, and stays on the lock screen for 4 more. One \
            whose content has more than 4096 bytes does not start. Each member of `activities` is a kind, \
            whose notices tell that one starts, ends, or shows something else:
            """
        ),
        keys.terms,
        .text("`start` has `before` and `times`, or `percent`, `of` and `from`:"),
        startKeys.terms,
        .text("`end` has these keys:"),
        endKeys.terms,
    ]

    static let keys = ManualTable([
        .init("list", "<pointer>", "The list, in the newest version. Required."),
        .init("id", "<pointer>", "In an element, as all that follow: what tells it apart.", default: "/id"),
        .init("shows", "<list>", "What it shows. Default: the whole element."),
        .init("start", "<mapping>", "When one starts. Required."),
        .init("end", "<mapping>", "When one ends before its 8 hours are over."),
    ])

    static let startKeys = ManualTable([
        .init("before", "<pointer>", "A time."),
        .init("times", "<list>", "How long before it one starts, such as `3 d` or `0 d`."),
        .init("percent", "<pointer>", "A number."),
        .init("of", "<pointer>", "The number that it is a part of."),
        .init("from", "<list>", "The percentages that start one when the number reaches them."),
    ])

    static let endKeys = ManualTable([
        .init("when", "<schema>", "A JSON Schema of elements whose activity is over."),
        .init("after", "<time>", "This long after its start.", default: "8 h"),
        .init("late", "<time>", "This long after the time of `before`, such as `24 h`."),
    ])
}
