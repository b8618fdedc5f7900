/// For whom a kind computes what it shows, and when.
package struct WidgetSetting: Sendable, Hashable {
    /// `nil`: in no size, with all rows.
    package var family: WidgetFamily?
    /// The parameters of the placed widget, an object.
    package var config = JSONValue.object([])
    package var locale: String?
    package var zone: JSONExpression.Zone
    /// In milliseconds since 1970.
    package var now: Int64

    package init(locale: String? = nil, zone: JSONExpression.Zone, now: Int64) {
        (self.locale, self.zone, self.now) = (locale, zone, now)
    }

    /// The same for a widget of another size.
    package func with(_ family: WidgetFamily?) -> WidgetSetting {
        var setting = self
        setting.family = family
        return setting
    }

    var surroundings: JSONExpression.Surroundings {
        var surroundings = JSONExpression.Surroundings()
        surroundings.now = Int(now / 1000 - (now % 1000 < 0 ? 1 : 0))
        (surroundings.zone, surroundings.locale) = (zone, locale)
        (surroundings.family, surroundings.limit) = (family?.name, family?.most)
        // A widget of no size, or with room for all, has the variables as well.
        if family == nil { surroundings.variables["family"] = .null }
        if family?.most == nil { surroundings.variables["limit"] = .null }
        if locale == nil { surroundings.variables["locale"] = .null }
        surroundings.config = config
        return surroundings
    }
}

extension JSONExpression.Zone {
    package static let utc = JSONExpression.Zone(name: "UTC", rules: .utc)
}
