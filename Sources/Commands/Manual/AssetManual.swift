/// The part of widgetbridge.yaml(5) about files that are not JSON.
enum AssetManual {
    static let blocks: [ManualBlock] = [
        .text(
            """
            A file that a member of `assets:` names is synced whole, like a document without versions: it is \
            never parsed. If both sides changed it, the app's wins, and the group's is kept as a conflict \
            copy. An empty file is held, since it is not written yet. Each member is named as in \
            `documents:`, and is a mapping with these keys, none of which is required.
            """
        ),
        keys.terms,
    ]

    static let keys = ManualTable([
        .init(
            "limit",
            "<size>",
            "A larger file is held. The limit of documents, `max-document`, applies as well."
        ),
        .init("direction", "<text>", "As for documents.", default: "both"),
        .init(
            "kinds",
            "<list>",
            "The widget kinds that reload when the file changes. Default: a kind with the file's name."
        ),
    ])
}
