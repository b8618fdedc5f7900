extension LiveActivityRule {
    init(name: String, _ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["list", "id", "shows", "start", "end"])
        self.name = name
        guard let list = fields["list"] else { throw field.fail(.missing("list")) }
        guard let start = fields["start"] else { throw field.fail(.missing("start")) }
        self.list = try list.pointer()
        id = try fields["id"]?.pointer() ?? JSONPointer(tokens: [Array("id".utf8)])
        shows = try fields["shows"]?.pointers() ?? [.root]
        self.start = try Start(start)
        let end = try fields["end"]?.fields(["when", "after", "late"]) ?? [:]
        over = try end["when"]?.schema()
        if let when = end["when"], over?.acceptsAll ?? false { throw when.fail(.rule(.endsAlways)) }
        lasts = Self.longest
        if let after = end["after"] {
            lasts = Int64(try after.minutes()) * 60_000
            guard lasts <= Self.longest else { throw after.fail(.expected(.eightHours)) }
        }
        late = try end["late"]?.minutes(least: 0)
        if let field = end["late"] { try check(late: field) }
    }

    /// It counts from a time, and must leave some.
    private func check(late field: YAMLField) throws(ProfileError) {
        guard case .before(_, let minutes) = self.start else {
            throw field.fail(.rule(.strayKey("late", of: "before")))
        }
        if late == 0, minutes.contains(0) { throw field.fail(.rule(.endsAtStart)) }
    }
}

extension LiveActivityRule.Start {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["before", "times", "percent", "of", "from"])
        if let before = fields["before"] {
            if fields["percent"] != nil { throw field.fail(.rule(.twoStarts)) }
            for key in ["of", "from"] {
                if let stray = fields[key] { throw stray.fail(.rule(.strayKey(key, of: "percent"))) }
            }
            guard let times = fields["times"] else { throw field.fail(.missing("times")) }
            if try times.list().isEmpty { throw times.fail(.rule(.noStart("times"))) }
            var minutes: [Int] = []
            for time in try times.list() { minutes.append(try time.minutes(least: 0)) }
            self = .before(try before.pointer(), minutes: minutes)
            return
        }
        if let stray = fields["times"] { throw stray.fail(.rule(.strayKey("times", of: "before"))) }
        guard let part = fields["percent"] else { throw field.fail(.missing("percent")) }
        guard let whole = fields["of"] else { throw field.fail(.missing("of")) }
        guard let from = fields["from"] else { throw field.fail(.missing("from")) }
        if try from.list().isEmpty { throw from.fail(.rule(.noStart("from"))) }
        var percents: [Int] = []
        for percent in try from.list() { percents.append(try percent.count()) }
        self = .percent(try part.pointer(), of: try whole.pointer(), from: percents)
    }
}
