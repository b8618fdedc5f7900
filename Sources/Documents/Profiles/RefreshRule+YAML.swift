extension RefreshRule {
    init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields([
            "every", "least", "most", "entries", "step", "then", "daily", "midnight",
        ])
        self.init(
            every: try fields["every"]?.minutes(),
            least: try fields["least"]?.minutes(),
            most: try fields["most"]?.minutes(),
            timeline: try Timeline(fields, of: field),
            daily: try fields["daily"].map { field throws(ProfileError) in try Self.timesOfDay(field) } ?? []
        )
        if try fields["midnight"]?.flag() == true, daily.first != 0 { daily.insert(0, at: 0) }
        for (name, other) in [("most", "least"), ("every", "least"), ("most", "every")] {
            guard let field = fields[name], let least = try fields[other]?.minutes() else { continue }
            if try field.minutes() < least { throw field.fail(.rule(.shorter(name, than: other))) }
        }
        for name in ["least", "most"] where fields["every"] == nil {
            if let stray = fields[name] { throw stray.fail(.rule(.strayKey(name, of: "every"))) }
        }
        if timeline != nil, let every = fields["every"] { throw every.fail(.rule(.twoRefreshes)) }
    }
}

extension RefreshRule.Timeline {
    /// `nil` if the fields have none.
    fileprivate init?(_ fields: [String: YAMLField], of field: YAMLField) throws(ProfileError) {
        guard let number = fields["entries"] else {
            for name in ["step", "then"] {
                if let stray = fields[name] { throw stray.fail(.rule(.strayKey(name, of: "entries"))) }
            }
            return nil
        }
        entries = try number.count()
        guard (1...Self.mostEntries).contains(entries) else {
            throw number.fail(.expected(.count(1...Self.mostEntries), .text("\(entries)")))
        }
        if entries > 1, fields["step"] == nil { throw field.fail(.missing("step", .step)) }
        step = try fields["step"]?.minutes() ?? 0
        then =
            try fields["then"].map { field throws(ProfileError) in try RefreshRule.Policy(field) } ?? .atEnd
        if entries == 1, then == .atEnd { throw number.fail(.rule(.endsAsItBegins)) }
    }

    private static let mostEntries = 1000
}

extension RefreshRule.Policy {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let text = try field.text()
        switch text {
        case "atEnd": self = .atEnd
        case "never": self = .never
        case _ where text.hasPrefix("after "):
            self = .after(minutes: try field.minutes(of: text.dropFirst(6)))
        default: throw field.fail(.expected(.refreshPolicy, .text(text)))
        }
    }
}

extension RefreshRule {
    /// In seconds since midnight, in order.
    private static func timesOfDay(_ field: YAMLField) throws(ProfileError) -> [Int] {
        var times: Set<Int> = []
        for field in field.isList ? try field.list() : [field] {
            let text = try field.text(.timeOfDay)
            var scanner = DigitScanner(Array(text.utf8))
            guard let hour = scanner.number(2), hour < 24, scanner.skip(":"),
                let minute = scanner.number(2), minute < 60, scanner.isAtEnd
            else { throw field.fail(.expected(.timeOfDay, .text(text))) }
            guard times.insert(hour * 3600 + minute * 60).inserted else {
                throw field.fail(.rule(.repeated(text)))
            }
        }
        return times.sorted()
    }
}
