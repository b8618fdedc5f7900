import Documents

extension TextPrinter {
    /// One row for each document.
    func table(_ profiles: [Profile]) -> String {
        let rows = profiles.flatMap { profile in
            profile.documents.map {
                [profile.id, $0.path, versions($0), $0.kinds.map(\.name).joined(separator: ", ")]
                    .map(\.withoutControls)
            }
        }
        let lines = layout.table(["PROFILE", "DOCUMENT", "VERSIONS", "KINDS"], rows, styled: bold)
        return lines.map { "\($0)\n" }.joined()
    }

    /// All parts of the profile except the schemas.
    func text(_ profile: Profile) -> String {
        var lines = [bold(profile.id.withoutControls)]
        func add(_ name: String, _ text: String?) {
            guard let text, !text.isEmpty else { return }
            lines += wrapped("\(name.withoutControls):".padded(to: 11), text.withoutControls)
        }
        add("about", profile.about)
        add("group", ([profile.group] + profile.otherGroups).joined(separator: ", "))
        add("locale", profile.locale)
        add("time zone", profile.timeZone?.name ?? (profile.followsMachineZone ? "that of the machine" : nil))
        add("app", profile.appVersion.map { "speaks version \($0)" })
        add("group", profile.groupVersion.map { "speaks version \($0)" })
        add("links", profile.deepLinks.joined(separator: ", "))
        return lines.map { "\($0)\n" }.joined() + profile.documents.map(text).joined()
    }

    private func text(_ rule: DocumentRule) -> String {
        var lines = ["", bold(rule.path.withoutControls)]
        if let asset = rule.asset {
            let limit = asset.limit.map { ", up to \(counted($0, "byte"))" } ?? ""
            lines += wrapped("  asset    ", "synced whole, not parsed\(limit)")
        }
        if !rule.versionNumbers.isEmpty { lines += wrapped("  versions ", versions(rule)) }
        for step in rule.steps {
            let start = "  \(step.from) → \(step.to)  "
            lines += step.lenses.flatMap { wrapped(start, $0.withoutControls) }
        }
        for view in rule.views {
            let place = "in \(view.container.rawValue), as \(view.path.withoutControls)"
            lines += wrapped("  view     ", "version \(view.version) \(place)")
        }
        for (place, words) in rule.mergeWords {
            lines += wrapped("  merge    ", "\(place): \(words)".withoutControls)
        }
        lines += rule.direction.source.map { wrapped("  ", "synced only from \($0.rawValue)") } ?? []
        if rule.passesInvalid { lines += wrapped("  ", "synced even if it violates its schema") }
        if let stale = rule.staleness { lines.append("  stale    after \(stale.age)") }
        for store in rule.shownStores {
            let start = "  \(store.platform.rawValue) \(store.side.rawValue)".padded(to: 15)
            lines += wrapped(start, store.words.withoutControls)
        }
        lines += rule.kinds.flatMap { kind in
            wrapped("  kind     ", kind.words.withoutControls)
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private func versions(_ rule: DocumentRule) -> String {
        rule.versionNumbers.isEmpty ? "-" : rule.versionNumbers.map(String.init).joined(separator: ", ")
    }
}

extension WidgetKind {
    fileprivate var words: String {
        let places = shows.map(\.description).joined(separator: ", ")
        let shown = content.isEmpty ? places.isEmpty ? "the document" : places : content.words
        let every = refresh?.every.map { "every \($0) min" }
        let timeline = refresh?.timeline.map {
            "a timeline of \($0.entries) entries, \($0.step) min apart, then \($0.then.text)"
        }
        let daily = refresh.map(\.dailyTexts) ?? []
        let parts = [
            ignores.isEmpty ? nil : "ignores \(ignores.map(\.description).joined(separator: ", "))",
            every, timeline, daily.isEmpty ? nil : "daily \(daily.joined(separator: ", "))",
            budget.map { "budget \($0.text)" }, coalesce.map { "coalesces within \($0) ms" },
        ]
        return (["\(name) shows \(shown)"] + parts.compactMap(\.self)).joined(separator: "; ")
    }
}

extension ComputedContent {
    fileprivate var words: String {
        let values = values.map(\.name).joined(separator: ", ")
        let texts = (texts + rowTexts).map(\.name).joined(separator: ", ")
        let parts = [
            values.isEmpty ? nil : "the values \(values)", rows.map { "the rows \($0.text)" },
            texts.isEmpty ? nil : "the texts \(texts)",
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}

extension Staleness {
    /// In minutes, if it has no seconds.
    fileprivate var age: String { after % 60 == 0 ? "\(after / 60) min" : "\(after) s" }
}
