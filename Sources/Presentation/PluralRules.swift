import Documents

/// The plural forms of languages, as in CLDR 46
/// (https://www.unicode.org/cldr/charts/46/supplemental/language_plural_rules.html).
struct PluralRules: Sendable {
    let cardinal: @Sendable (PluralOperands) -> PluralCategory
    let ordinal: @Sendable (PluralOperands) -> PluralCategory

    /// Those of a locale such as `pt_BR`; `nil` if its language has none here.
    init?(locale: String) {
        let parts = locale.split { $0 == "_" || $0 == "-" }
        guard let language = parts.first.map({ $0.lowercased() }) else { return nil }
        let isOfPortugal = language == "pt" && parts.dropFirst().contains("PT")
        guard let cardinal = isOfPortugal ? Self.romance : Self.cardinals[language] else { return nil }
        self.cardinal = cardinal
        ordinal = Self.ordinals[language] ?? { _ in .other }
    }

    private typealias Rule = @Sendable (PluralOperands) -> PluralCategory

    private static let cardinals: [String: Rule] = {
        var rules: [String: Rule] = [:]
        for (languages, rule) in groups {
            for language in languages.split(whereSeparator: \.isWhitespace) { rules[String(language)] = rule }
        }
        return rules
    }()

    private static let groups: [(languages: String, Rule)] = [
        (
            """
            bm bo dz id ig ii in ja jbo jv jw kde kea km ko lkt lo ms my nqo osa root sah ses sg su th to tpi
            vi wo yo yue zh
            """,
            { _ in .other }
        ),
        ("am as bn doi fa gu hi kn pcm zu", { $0.i == 0 || $0.n == 1 ? .one : .other }),
        ("ff hy kab", { $0.i == 0 || $0.i == 1 ? .one : .other }),
        (
            "ast de en et fi fy gl ia io ji lij nl sc sv sw ur yi",
            { $0.i == 1 && $0.v == 0 ? .one : .other }
        ),
        ("ak bho csw guw ln mg nso pa ti wa", { $0.n == 0 || $0.n == 1 ? .one : .other }),
        (
            """
            af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw hu jgo jmc ka kaj
            kcg kk kkj kl ks ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne nn nnh no nr ny nyn om or os pap ps
            rm rof rwk saq sd sdh seh sn so sq ss ssy st syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh
            xog
            """,
            { $0.n == 1 ? .one : .other }
        ),
        ("da", { $0.n == 1 || ($0.t != 0 && $0.i <= 1) ? .one : .other }),
        ("ca it lld scn vec", romance), ("es", spanish), ("fr pt", french), ("is", icelandic),
        ("be", belarusian), ("ru uk", russian), ("bs hr sh sr", southSlavic), ("pl", polish),
        ("cs sk", czech), ("sl", slovenian), ("lt", lithuanian), ("lv prg", latvian), ("ro mo", romanian),
        ("ar ars", arabic), ("he iw", hebrew), ("ga", irish), ("cy", welsh), ("mt", maltese),
    ]

    // MARK: Languages with several forms

    /// A million, and its multiples, have a form of their own. Abbreviated numbers are no operands here.
    private static func isMillions(_ n: PluralOperands) -> Bool {
        n.i != 0 && n.i % 1_000_000 == 0 && n.v == 0
    }

    private static let romance: Rule = { $0.i == 1 && $0.v == 0 ? .one : isMillions($0) ? .many : .other }
    private static let spanish: Rule = { $0.n == 1 ? .one : isMillions($0) ? .many : .other }
    private static let french: Rule = { $0.i == 0 || $0.i == 1 ? .one : isMillions($0) ? .many : .other }

    private static let icelandic: Rule = { n in
        func isOne(_ number: Int) -> Bool { number % 10 == 1 && number % 100 != 11 }
        return n.t == 0 && isOne(n.i) || isOne(n.t) ? .one : .other
    }

    private static let hebrew: Rule = { n in
        guard n.v == 0 else { return n.i == 0 ? .one : .other }
        return n.i == 1 ? .one : n.i == 2 ? .two : .other
    }

    private static let belarusian: Rule = { n in
        guard n.t == 0 else { return .other }
        return n.i % 10 == 1 && n.i % 100 != 11 ? .one : isFew(n.i) ? .few : .many
    }

    private static let russian: Rule = { n in
        guard n.v == 0 else { return .other }
        return n.i % 10 == 1 && n.i % 100 != 11 ? .one : isFew(n.i) ? .few : .many
    }

    private static let southSlavic: Rule = { n in
        let number = n.v == 0 ? n.i : n.f
        return number % 10 == 1 && number % 100 != 11 ? .one : isFew(number) ? .few : .other
    }

    private static let polish: Rule = { n in
        guard n.v == 0 else { return .other }
        return n.i == 1 ? .one : isFew(n.i) ? .few : .many
    }

    /// Ends in 2 to 4, but not in 12 to 14.
    private static func isFew(_ number: Int) -> Bool {
        (2...4).contains(number % 10) && !(12...14).contains(number % 100)
    }

    private static let czech: Rule = { n in
        guard n.v == 0 else { return .many }
        return n.i == 1 ? .one : (2...4).contains(n.i) ? .few : .other
    }

    private static let slovenian: Rule = { n in
        guard n.v == 0 else { return .few }
        return switch n.i % 100 {
        case 1: .one
        case 2: .two
        case 3, 4: .few
        default: .other
        }
    }

    private static let lithuanian: Rule = { n in
        if n.f != 0 { return .many }
        let isTeen = (11...19).contains(n.i % 100)
        return n.i % 10 == 1 && !isTeen ? .one : (2...9).contains(n.i % 10) && !isTeen ? .few : .other
    }

    private static let latvian: Rule = { n in
        let isTeen = (11...19).contains(n.i % 100)
        if n.t == 0, n.i % 10 == 0 || isTeen { return .zero }
        if n.v == 2, (11...19).contains(n.f % 100) { return .zero }
        let isOne =
            n.t == 0 && n.i % 10 == 1 && n.i % 100 != 11 || n.v == 2 && n.f % 10 == 1 && n.f % 100 != 11
            || n.v != 2 && n.v != 0 && n.f % 10 == 1
        return isOne ? .one : .other
    }

    private static let romanian: Rule = { n in
        if n.i == 1, n.v == 0 { return .one }
        return n.v != 0 || n.n == 0 || (1...19).contains(n.i % 100) ? .few : .other
    }

    private static let arabic: Rule = { n in
        guard n.t == 0 else { return .other }
        return switch (n.i, n.i % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private static let irish: Rule = { n in
        guard n.t == 0 else { return .other }
        return switch n.i {
        case 1: .one
        case 2: .two
        case 3...6: .few
        case 7...10: .many
        default: .other
        }
    }

    private static let welsh: Rule = { n in
        guard n.t == 0 else { return .other }
        return switch n.i {
        case 0: .zero
        case 1: .one
        case 2: .two
        case 3: .few
        case 6: .many
        default: .other
        }
    }

    private static let maltese: Rule = { n in
        guard n.t == 0 else { return .other }
        return switch (n.i, n.i % 100) {
        case (1, _): .one
        case (2, _): .two
        case (0, _), (_, 3...10): .few
        case (_, 11...19): .many
        default: .other
        }
    }

    // MARK: Ordinals

    /// Of the languages that the built-in profiles and their users have; others have one form here.
    private static let ordinals: [String: Rule] = [
        "en": { n in
            guard !(11...13).contains(n.i % 100) else { return .other }
            return switch n.i % 10 {
            case 1: .one
            case 2: .two
            case 3: .few
            default: .other
            }
        },
        "it": { [8, 11, 80, 800].contains($0.i) ? .many : .other },
        "fr": { $0.i == 1 ? .one : .other },
        "sv": { [1, 2].contains($0.i % 10) && ![11, 12].contains($0.i % 100) ? .one : .other },
        "ca": { n in
            switch n.i {
            case 1, 3: .one
            case 2: .two
            case 4: .few
            default: .other
            }
        },
    ]
}
