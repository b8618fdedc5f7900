/// The part of widgetbridge.yaml(5) about profiles.
enum ProfileManual {
    static let profiles: [ManualBlock] = [
        .text(
            """
            A profile is a mapping with these keys. Scalars are read by YAML 1.2's core schema, and numbers \
            keep every digit.
            """
        ),
        profileKeys.terms,
    ]

    static let profileKeys = ManualTable([
        .init(
            "format",
            "`1`",
            "The version of the profile format. A later one is refused.",
            default: "1"
        ),
        .init("profile", "<name>", "Its name, which the journal remembers. Required."),
        .init(
            "documents",
            "<mapping>",
            "The documents, by their paths or by patterns; see DOCUMENTS. Required."
        ),
        .init(
            "assets",
            "<mapping>",
            "Files that are not JSON, such as images, by their paths or by patterns; see ASSETS."
        ),
        .init(
            "speaks",
            "`{app:` <number>`, group:` <number>`}`",
            "The version to which a side is pinned. `app-version` and `group-version` override it."
        ),
        .init(
            "timeZone",
            "`{name: Europe/Rome, rule: \"CET-1CEST,M3.5.0,M10.5.0/3\"}`",
            """
            For daily times, and lenses that read local times. The name is one of the IANA database; the \
            rule is that of POSIX's `TZ`.
            """
        ),
        .init(
            "include",
            "<list>",
            """
            Syncs only documents with these names; `*` matches any characters within one component of a \
            path, and a name that ends with `/` is a directory's. Those of the bridge's configuration \
            restrict them further.
            """
        ),
        .init(
            "exclude",
            "<list>",
            "Leaves out documents and directories with these names, even if `include` has them."
        ),
        .init("about", "<text>", "A text for `profile show`, as are the keys below."),
        .init("group", "<text>", "The identifier of the App Group."),
        .init("otherGroups", "<list>", "Earlier identifiers of the group."),
        .init("locale", "<text>", "The language and region of the app."),
        .init(
            "deepLinks",
            "<list>",
            "The links by which the app is opened; an event may have no others. `{…}` is any component."
        ),
        .init("strings", "<mapping>", "Texts of the widgets by name."),
        .init("facts", "<mapping>", "Other facts about the app."),
    ])

    static let documents: [ManualBlock] = [
        .text(
            """
            Each member of `documents:` is named by a path inside the container. In a pattern such as \
            `notes/*.json` the `*` stands for any characters within one name; nothing else is special. \
            An exact path takes precedence over a pattern, and a pattern with more characters besides \
            `*` over another. Each is a mapping with these keys, none of which is required.
            """
        ),
        documentKeys.terms,
        .heading("version"),
        .text(
            """
            With `shapes` a document has the newest version whose `when` it fits. With a mapping a field \
            gives the version:
            """
        ),
        versionMarkKeys.terms,
        .heading("kinds"),
        .text("Each widget kind is a mapping:"),
        kindKeys.terms,
        .text("`refresh` has these keys, the first three with a time such as `30 min`, `24 h` or `7 d`:"),
        refreshKeys.terms,
        .heading("stale and errors"),
        .text("`stale` says when what is shown is too old:"),
        staleKeys.terms,
        .text("Each member of `errors` is a state in which the widget shows a text instead:"),
        errorKeys.terms,
        .heading("views"),
        .text(
            """
            A view is a copy of a document in another version, such as `notes.v1.json` beside \
            `notes.json`. The bridge publishes it before the widgets reload, and it is read-only. \
            `views: [1]` is a list of versions for the App Group container; a mapping has a list for each \
            container:
            """
        ),
        viewKeys.terms,
    ]

    static let documentKeys = ManualTable([
        .init(
            "version",
            "`shapes` or <mapping>",
            "How a document's version is told; see below. Required if there are versions."
        ),
        .init("versions", "<mapping>", "The versions by number, the oldest first; see VERSIONS."),
        .init("kinds", "<mapping>", "The widget kinds by name; see below. Each gets its own reloads."),
        .init(
            "onInvalid",
            "`hold` or `pass`",
            "Whether a document that violates its schema is held, or synced anyway.",
            default: "hold"
        ),
        .init(
            "direction",
            "`both`, `app-to-group` or `group-to-app`",
            """
            Which side's changes are synced. A change or deletion of the other side is undone, and what it \
            saved goes to the trash.
            """,
            default: "both"
        ),
        .init("views", "<list or mapping>", "Further versions that the bridge publishes; see below."),
        .init("stale", "<mapping>", "When what is shown is too old; see below."),
        .init("errors", "<mapping>", "States of error or without data, by name; see below."),
        .init("activities", "<mapping>", "Kinds of Live Activities, by name; see below."),
        .init("identity", "<mapping>", "How the elements of lists are identified; see MERGING."),
        .init("tuples", "<list>", "Lists whose elements are identified by their position; see MERGING."),
        .init("ownership", "<mapping>", "What the group wins in a conflict; see MERGING."),
        .init("merge", "<mapping>", "Rules for fields that both sides changed; see MERGING."),
        .init("keeps", "<mapping>", "By side, the fields that it does not change; see MERGING."),
        .init("stores", "<mapping>", "Where the programs keep it on a device; see STORES."),
        .init(
            "reads",
            "<mapping>",
            """
            By side, `double` or `float`: what its program keeps of a number. A value that is just the nearest \
            such number to the last agreed one is no edit.
            """,
            default: "{app: double, group: double}"
        ),
    ])

    static let versionMarkKeys = ManualTable([
        .init("field", "<name>", "The field with the number."),
        .init("missing", "<number>", "The version of documents without it, which otherwise have none."),
    ])

    static let kindKeys = ManualTable([
        .init(
            "shows",
            "<list>",
            """
            JSON Pointers into the newest version. The kind reloads when a value there changes. \
            Default: the whole document.
            """
        ),
        .init(
            "families",
            "<list or mapping>",
            "The sizes of the widget, or each with the most entries that it shows, or `all`."
        ),
        .init(
            "ignore",
            "<list>",
            """
            JSON Pointers to values in what the kind shows whose changes do not reload it, such as \
            timestamps. `*` stands for any key or index.
            """
        ),
        .init("refresh", "<mapping>", "How often the widget reloads by itself; see below."),
        .init(
            "budget",
            "<number> or `unlimited`",
            "The reloads that a system grants a widget within 24 hours.",
            default: "40"
        ),
        .init(
            "coalesce",
            "<time>",
            "Changes within this time, such as `250 ms` or `5 s`, need one reload.",
            default: "250 ms"
        ),
        .init("retry", "<mapping>", "How often a reload that is not acknowledged is told again."),
    ])

    static let retryKeys = ManualTable([
        .init("times", "<number>", "At most this often, up to 100.", default: "3"),
        .init("after", "<time>", "After this time, such as `5 s`, each time.", default: "5 s"),
    ])

    static let refreshKeys = ManualTable([
        .init("every", "<time>", "The usual time between two reloads."),
        .init("least", "<time>", "The shortest."),
        .init("most", "<time>", "The longest."),
        .init(
            "daily",
            "<list>",
            """
            Times of day in the profile's `timeZone`, or UTC without one, such as `08:00`. A time that a \
            change of the clocks skips comes an hour later, and one that it repeats counts once.
            """
        ),
    ])

    static let staleKeys = ManualTable([
        .init(
            "field",
            "<pointer>",
            """
            The time that counts. One that is more than an hour later than the save of the document does \
            not: the age is counted from the save then.
            """
        ),
        .init("after", "<time>", "The age, such as `30 s` or `24 h`. Required."),
        .init("missing", "`stale` or `fresh`", "What a document without the time is.", default: "stale"),
    ])

    static let errorKeys = ManualTable([
        .init("text", "<text>", "What the widget shows."),
        .init("when", "<schema>", "The documents for which it does."),
    ])

    static let viewKeys = ManualTable([
        .init("app", "<list>", "Versions for readers in the app's container."),
        .init("group", "<list>", "Versions for readers in the App Group container."),
    ])

    static let versions: [ManualBlock] = [
        .text(
            """
            Each side speaks one version of a document: the one that is pinned for it (`app-version`, \
            `group-version`, `speaks`, or `migrate apply`), else the one of the document that it has, else \
            the newest. A version that is added to the profile thus reaches a side when its program saves it \
            or when it is pinned. The bridge compares and merges documents in the newest. What an old version \
            cannot represent stays in the last agreed content, so a round trip loses nothing. Each member of \
            `versions:` is a number with a mapping:
            """
        ),
        versionKeys.terms,
    ]

    static let versionKeys = ManualTable([
        .init("schema", "<schema>", "What a document of this version must be; see SCHEMAS."),
        .init("when", "<schema>", "What a document of this version fits, with `version: shapes`."),
        .init("lenses", "<list>", "The steps from the version before to this one; see LENSES."),
    ])
}
