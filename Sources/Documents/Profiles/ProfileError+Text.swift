// Errors in profiles, configurations and scenarios have the same texts.

extension ProfileError.Reason {
    package var text: String {
        switch self {
        case .syntax(let words): words
        case .emptyFile: "the file is empty"
        case .tooLargeOrDeep: "too large or too deep"
        case .tooLarge: "is too large"
        case .repeatedKeys(let keys): "duplicate key: \(listed(keys))"
        case .unknownKey(_, let known): "unknown key; known here: \(listed(known))"
        case .unknownWord(let word, let known): "unknown word `\(word)`; expected one of: \(listed(known))"
        case .unsupportedTag(let tag): "the tag `\(tag)` is not supported; `!!str` is"
        case .number(let text):
            "write a number as in JSON, such as `16` or `0.5`, and text in quotes; found `\(text)`"
        case .blank(let found): "expected text, found \(found.words); an empty text is `\"\"`"
        case .expected(let expected, let found):
            "expected \(expected.words)" + (found.map { ", found \($0.words)" } ?? "")
        case .missing(let key, let meaning):
            "`\(key)`" + (meaning.map { ", \($0.words)," } ?? "") + " is missing"
        case .needed(let keys): "\(joined(keys)) are required"
        case .either(let one, let other, let meaning): "`\(one)` or `\(other)` is required: \(meaning.words)"
        case .oneOf(let keys, let meaning):
            "one of \(listed(keys.map { "`\($0)`" })) is required: \(meaning.words)"
        case .noTimeZoneRule: "`name` and `rule` are required, such as \(timeZoneExample)"
        case .noTimeZone(let name):
            "the IANA time zone database has no `\(name)`; a name is such as `Europe/Rome` or `UTC`"
        case .newerFormat(let format, let newest):
            "format \(format) is newer than this program supports; the newest supported format is \(newest)"
        case .versions(let fault): fault.words
        case .lens(let fault): fault.words
        case .rule(let fault): fault.words
        case .json(let error): error.reason
        case .expression(let error): "the expression: \(error.text)"
        case .message(let error): "the text: \(error.text)"
        case .schema(let reason): reason.text
        case .unfit(let subject, let fault): "\(subject.words) \(fault.text)"
        case .lenses(let older, let newer, let difference):
            "the lenses do not lead from version \(older) to \(newer): \(difference.text)"
        case .told(let text): text
        }
    }
}

private let timeZoneExample = "`CET-1CEST,M3.5.0,M10.5.0/3`"

private func listed(_ words: [String]) -> String { words.joined(separator: ", ") }

/// A list as in "`a`, `b` and `c`".
private func joined(_ keys: [String]) -> String {
    let quoted = keys.map { "`\($0)`" }
    return listed(quoted.dropLast()) + " and " + (quoted.last ?? "")
}

extension ProfileError.Found {
    fileprivate var words: String {
        switch self {
        case .nothing: "nothing"
        case .text(let text):
            "`\(text.count > Self.longestText ? "\(text.prefix(Self.longestText))…" : text)`"
        case .mapping: "a mapping"
        case .list: "a list"
        case .alias: "an alias"
        }
    }

    /// The error is one line, whatever the file is.
    private static var longestText: Int { 80 }
}

extension ProfileError.Expected {
    /// Also used for the value of an option.
    package var words: String {
        switch self {
        case .text: "text"
        case .name: "a name"
        case .list: "a list"
        case .mapping: "a mapping"
        case .bridge: "a bridge"
        case .wholeNumber: "a whole number"
        case .positiveNumber: "a whole number from 1"
        case .version: "a version, a whole number from \(VersionRule.least)"
        case .either(let one, let other): "`\(one)` or `\(other)`"
        case .oneOf(let choices): "one of \(listed(choices.map { "`\($0)`" }))"
        case .path: "a path"
        case .containerPath: "a path in the container, such as `Library/Preferences/com.example.app.plist`"
        case .documentPattern:
            """
            the name of a document or, with `/` at its end, of a directory, as it is in the container, without \
            `./`; `*` matches within one component, and `**` is not supported
            """
        case .size: "a size such as `8MiB`, `512KiB` or `8388608`"
        case .duration: "a time such as `60s` or `500ms`"
        case .interval: "a time such as `60s`, at least `100ms`"
        case .percentage: "a percentage from `1%` to `100%`"
        case .digestOrNone: "`none`, or `sha256:` and 64 hexadecimal digits"
        case .pointer: "a JSON Pointer such as `/data/limit`"
        case .wildcard: "a pointer with `*`, such as `/tasks/*`"
        case .pointerBefore: "a JSON Pointer as the key"
        case .eightHours: "at most 8 h, when a system ends a Live Activity"
        case .minutes: "a time such as `30 min` or `24 h`"
        case .seconds: "a time such as `30 s`, `30 min` or `24 h`"
        case .numberOfUnits(let range):
            "a time whose number is from \(range.lowerBound) to \(range.upperBound)"
        case .milliseconds: "a time of at most an hour, such as `250 ms` or `5 s`"
        case .timeOfDay: "a time of day such as `08:00`"
        case .deepLink: "a link such as `app://trip/{id}`, in which a name in braces is a whole component"
        case .reloadBudget: "a whole number of reloads within 24 hours, or `unlimited`"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .argument: "a name of letters, digits and `_`"
        case .refreshPolicy: "`atEnd`, `never`, or `after` and a time such as `after 15 min`"
        case .timeZone: "a time zone such as `Europe/Rome`"
        case .socketAddress: "`127.0.0.1:PORT`"
        case .timeZoneRule: "a rule such as \(timeZoneExample)"
        case .versionMark: "`shapes`, or `field`, which holds the version"
        case .mergeRule:
            "`newest`, `max`, `min`, `sum`, `set`, `{derived: {count: /list/*}}` or `{mine: app}`"
        case .firstOrNothing: "`true`, or no `first`"
        case .factor: "a factor above 0, such as `0.01`, `100` or `1/3`"
        case .digitCount: "a whole number up to 30"
        }
    }
}

extension ProfileError.Meaning {
    fileprivate var words: String {
        switch self {
        case .name: "its name"
        case .versionMark: "how the version is recognized"
        case .versionField: "which holds the version"
        case .shape: "the schema that recognizes this version"
        case .identity: "which identifies the elements"
        case .age: "such as `24 h`"
        case .step: "such as `15 min`"
        case .mergeRule: "which value wins"
        case .derivation: "what it is computed from"
        case .content: "its value"
        case .order: "its position"
        case .rounding: "how it is rounded"
        case .separator: "the text between the parts"
        case .storeFormat(let formats): "one of \(listed(formats.map { "`\($0)`" }))"
        case .storeFile: "the path of the file in the container"
        case .storeContent: "what the store has of the document"
        case .storeStart: "where the fields are in a document of this version"
        case .storeType: "the type and the JSON Pointer of the value"
        case .storeTime: "the forms that the time has in the document"
        case .storeWidget: "the name of the widget"
        }
    }
}

extension ProfileError.Subject {
    fileprivate var words: String {
        switch self {
        case .lens: "this lens"
        case .mergeRule: "the rule"
        case .identity: "the identity"
        case .staleness: "`stale`"
        case .kept: "`keeps`"
        case .kind(let name): "`\(name)` shows"
        case .activity(let name): "the activity `\(name)`"
        case .ignored(let name): "`ignore` of `\(name)`"
        }
    }
}

extension ProfileError.VersionsFault {
    fileprivate var words: String {
        switch self {
        case .unordered(let name):
            "versions are whole numbers from \(VersionRule.least), the oldest first; found `\(name)`"
        case .none: "`version` needs `versions`"
        case .unknown(let version, nil): "there is no version \(version)"
        case .unknown(let version, let document?): "`\(document)` has no version \(version)"
        case .repeated(let version): "version \(version) is defined twice"
        }
    }
}

extension ProfileError.LensFault {
    fileprivate var words: String {
        switch self {
        case .notOne: "a lens is a mapping with one key, such as `wrap: data`"
        case .unknown(_, let known): "unknown lens; known: \(listed(known))"
        case .unknownConversion:
            "known: `0/1` to `boolean`, `text` and `number` or `integer`, "
                + "`list` and `value`, `text` or `table`, and the times "
                + listed(TimeForm.allCases.map(\.rawValue))
        case .repeatedValue: "each value may be listed once per side"
        case .manyToMany: "a pair may have several values on one side only"
        case .noValue: "the list has no values"
        case .fewParts: "expected at least two fields with different names"
        case .root: "the root can be neither moved nor added"
        case .intoItself: "a field can be moved neither into itself nor to its own place"
        }
    }
}

extension ProfileError.RuleFault {
    fileprivate var words: String {
        switch self {
        case .noTimeZone: "a lens reads local times, and the profile has no `timeZone`"
        case .nameOfView: "it has the name of a view of another document"
        case .doubleStar: "`*` matches within one component of a path; `**` is not supported"
        case .documentAndAsset: "`documents` has it, too, and an asset is not parsed: remove one of the two"
        case .patternTie(let other):
            "a document may match both this and `\(other)`, which are equally specific: make one more specific"
        case .filterWithoutCount: "`where` needs `count`"
        case .shorter(let one, let other): "`\(one)` is shorter than `\(other)`, so no time fits both"
        case .twoStarts: "an activity starts by `before` or by `percent`: remove one of the two"
        case .twoRefreshes: "a kind reloads by `every` or by `entries`: remove one of the two"
        case .endsAsItBegins:
            "one entry ends as it begins, so it would reload without a pause: add `then: after 15 min`"
        case .noStart(let list): "`\(list)` is empty, so no activity ever starts"
        case .endsAtStart: "an activity that starts at its time ends at once: give a longer `late`"
        case .endsAlways: "each element fits it, so no activity ever starts"
        case .nameOfKind(let name): "`\(name)` is a kind of widget: give the activity a name of its own"
        case .nameOfState(let name):
            "the program itself tells what is `\(name)`: use another name, or leave out `when`"
        case .noFamily: "the widget has no size then: name one, or leave out `families`"
        case .showsNothing:
            "`ignore` leaves nothing of what it shows, so it never reloads: shorten one of them"
        case .statesAndErrors: "`errors` is an older form of `states`: remove one of the two"
        case .ofOneWidget(let name): "`\(name)` is of one widget, and a state is of the document"
        case .computedAndPointed(let key):
            "a kind with `values`, `rows` or `texts` shows these: remove `\(key)`"
        case .hidden(let other):
            "a document that fits it shows `\(other)`, which stands before it: change one of the two"
        case .repeated(let text): "`\(text)` is listed twice: remove one of the two"
        case .strayKey(let key, let other): "`\(key)` needs `\(other)`"
        case .referencesWithoutRenumber: "`references` needs `renumber: true`"
        case .keepsAll: "a side keeps fields; for a whole document use `direction`"
        case .keptOneWay: "with `direction`, one side keeps the whole document: remove one of the two"
        case .keptByBoth(let place): "neither side could change `\(place)`: let one of them keep it"
        case .versionFieldMade(let key):
            "this lens creates the field `\(key)`, which holds the version: use another name"
        case .store(let fault): fault.words
        }
    }
}

extension ProfileError.StoreRuleFault {
    fileprivate var words: String {
        switch self {
        case .ofPattern:
            "a pattern has no `stores`, because all its documents would have the same keys"
        case .suffix(let format, let suffixes):
            "the name of a `\(format.rawValue)` file ends in "
                + suffixes.map { "`\($0)`" }.joined(separator: " or ")
        case .keyTwice(let key): "`\(key)` is the key of the whole document: give the field another key"
        case .noData: "preferences have no bytes: use `text`"
        case .formOfDate: "a `date` has no `to`: it is an instant"
        case .noTimeZone: "a store has local times, and the profile has no `timeZone`"
        }
    }
}
