import Documents
import Testing

@Suite struct ProfileErrorTests {
    static let ofFiles: [(ProfileError.Reason, String)] = [
        (.syntax("did not find expected node content"), "did not find expected node content"),
        (.emptyFile, "the file is empty"), (.tooLargeOrDeep, "too large or too deep"),
        (.tooLarge, "is too large"), (.repeatedKeys(["a", "b"]), "duplicate key: a, b"),
        (.unknownKey("c", known: ["a", "b"]), "unknown key; known here: a, b"),
        (.unsupportedTag("!a"), "the tag `!a` is not supported; `!!str` is"),
        (
            .number("010"),
            "write a number as in JSON, such as `16` or `0.5`, and text in quotes; found `010`"
        ), (.blank(.nothing), "expected text, found nothing; an empty text is `\"\"`"),
        (
            .newerFormat("2", newest: 1),
            "format 2 is newer than this program supports; the newest supported format is 1"
        ), (.told("of another file"), "of another file"),
    ]

    static let ofValues: [(ProfileError.Expected, ProfileError.Found?, String)] = [
        (.text, .mapping, "expected text, found a mapping"),
        (.list, .text("a"), "expected a list, found `a`"),
        (.mapping, .list, "expected a mapping, found a list"),
        (.text, .alias, "expected text, found an alias"),
        (.name, nil, "expected a name"), (.bridge, nil, "expected a bridge"),
        (.wholeNumber, .text(""), "expected a whole number, found ``"),
        (.positiveNumber, .text("0"), "expected a whole number from 1, found `0`"),
        (.either("a", "b"), nil, "expected `a` or `b`"),
        (.oneOf(["a", "b", "c"]), .text("d"), "expected one of `a`, `b`, `c`, found `d`"),
        (.path, .nothing, "expected a path, found nothing"),
        (.size, .text("a"), "expected a size such as `8MiB`, `512KiB` or `8388608`, found `a`"),
        (.duration, .text("a"), "expected a time such as `60s` or `500ms`, found `a`"),
        (.digestOrNone, .text("a"), "expected `none`, or `sha256:` and 64 hexadecimal digits, found `a`"),
        (.pointer, .text("a"), "expected a JSON Pointer such as `/data/limit`, found `a`"),
        (.wildcard, .text("/a"), "expected a pointer with `*`, such as `/tasks/*`, found `/a`"),
        (.pointerBefore, .text("a"), "expected a JSON Pointer as the key, found `a`"),
        (.minutes, .text("a"), "expected a time such as `30 min` or `24 h`, found `a`"),
        (.seconds, .text("a"), "expected a time such as `30 s`, `30 min` or `24 h`, found `a`"),
        (
            .numberOfUnits(1...9), .text("0 min"),
            "expected a time whose number is from 1 to 9, found `0 min`"
        ),
        (.timeZoneRule, .text("a"), "expected a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, found `a`"),
        (.versionMark, nil, "expected `shapes`, or `field`, which holds the version"),
        (
            .mergeRule, nil,
            "expected `newest`, `max`, `min`, `sum`, `set`, `{derived: {count: /list/*}}` or `{mine: app}`"
        ), (.firstOrNothing, nil, "expected `true`, or no `first`"),
        (.factor, .text("0"), "expected a factor above 0, such as `0.01`, `100` or `1/3`, found `0`"),
        (.digitCount, .text("31"), "expected a whole number up to 30, found `31`"),
    ]

    static let ofKeys: [(ProfileError.Reason, String)] = [
        (.missing("documents"), "`documents` is missing"),
        (.missing("profile", .name), "`profile`, its name, is missing"),
        (.missing("version", .versionMark), "`version`, how the version is recognized, is missing"),
        (.missing("field", .versionField), "`field`, which holds the version, is missing"),
        (.missing("when", .shape), "`when`, the schema that recognizes this version, is missing"),
        (.missing("field", .identity), "`field`, which identifies the elements, is missing"),
        (.missing("after", .age), "`after`, such as `24 h`, is missing"),
        (.missing("digits", .rounding), "`digits`, how it is rounded, is missing"),
        (.needed(["from", "to"]), "`from` and `to` are required"),
        (.needed(["field", "from", "to"]), "`field`, `from` and `to` are required"),
        (.either("derived", "mine", .mergeRule), "`derived` or `mine` is required: which value wins"),
        (.either("count", "sum", .derivation), "`count` or `sum` is required: what it is computed from"),
        (.either("value", "copy", .content), "`value` or `copy` is required: its value"),
        (.oneOf(["a", "b"], .content), "one of `a`, `b` is required: its value"),
        (.either("first", "after", .order), "`first` or `after` is required: its position"),
        (.noTimeZoneRule, "`name` and `rule` are required, such as `CET-1CEST,M3.5.0,M10.5.0/3`"),
    ]

    static let ofRules: [(ProfileError.Reason, String)] = [
        (
            .versions(.unordered("two")),
            "versions are whole numbers from -1, the oldest first; found `two`"
        ), (.versions(.none), "`version` needs `versions`"),
        (.versions(.unknown(3)), "there is no version 3"),
        (.versions(.unknown(3, of: "a.json")), "`a.json` has no version 3"),
        (.versions(.repeated(1)), "version 1 is defined twice"),
        (.lens(.notOne), "a lens is a mapping with one key, such as `wrap: data`"),
        (.lens(.unknown("ad", known: ["add", "map"])), "unknown lens; known: add, map"),
        (.unknownWord("ad", known: ["add", "map"]), "unknown word `ad`; expected one of: add, map"),
        (
            .lens(.unknownConversion),
            "known: `0/1` to `boolean`, `text` and `number` or `integer`, "
                + "`list` and `value`, `text` or `table`, and the times "
                + "iso8601, local, seconds2001, seconds1970, seconds1970Text, milliseconds, "
                + "millisecondsText, date"
        ), (.lens(.repeatedValue), "each value may be listed once per side"),
        (.lens(.manyToMany), "a pair may have several values on one side only"),
        (.missing("by", .separator), "`by`, the text between the parts, is missing"),
        (.lens(.fewParts), "expected at least two fields with different names"),
        (.lens(.noValue), "the list has no values"),
        (.lens(.root), "the root can be neither moved nor added"),
        (.rule(.noTimeZone), "a lens reads local times, and the profile has no `timeZone`"),
        (.rule(.nameOfView), "it has the name of a view of another document"),
        (
            .rule(.versionFieldMade("v")),
            "this lens creates the field `v`, which holds the version: use another name"
        ),
        (.rule(.strayKey("by", of: "join")), "`by` needs `join`"),
        (.rule(.filterWithoutCount), "`where` needs `count`"),
        (.rule(.referencesWithoutRenumber), "`references` needs `renumber: true`"),
    ]

    static let ofOthers: [(ProfileError.Reason, String)] = [
        (.json(.byteOrderMark), "1:1: begins with a byte order mark; it can be copied but not edited"),
        (.schema(.repeatedAnchor), "another schema has this `$anchor`"),
        (.unfit(.lens, .fieldExists("a")), "this lens adds the field `a`, which already exists"),
        (.unfit(.mergeRule, .noField("a")), "the rule names the field `a`, which does not exist"),
        (.unfit(.identity, .noField("a")), "the identity names the field `a`, which does not exist"),
        (.unfit(.staleness, .noField("a")), "`stale` names the field `a`, which does not exist"),
        (.unfit(.activity("A"), .noField("a")), "the activity `A` names the field `a`, which does not exist"),
        (.unfit(.kind("K"), .noField("a")), "`K` shows names the field `a`, which does not exist"),
        (.unfit(.ignored("K"), .noField("a")), "`ignore` of `K` names the field `a`, which does not exist"),
        (
            .lenses(from: 1, to: 2, .extra(.root.appending(0))),
            "the lenses do not lead from version 1 to 2: `/0` is not a field of the newer version"
        ),
    ]

    @Test(arguments: ofFiles + ofKeys + ofRules + ofOthers)
    func `Each error of a profile has its text`(reason: ProfileError.Reason, words: String) {
        #expect(reason.text == words)
    }

    @Test(arguments: ofValues)
    func `Each expectation has its text, with what was found`(
        expected: ProfileError.Expected,
        found: ProfileError.Found?,
        words: String
    ) {
        #expect(ProfileError.Reason.expected(expected, found).text == words)
    }
}
