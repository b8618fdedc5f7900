import Documents
import Model

// Values that may be missing. A mistake in one is collected, and it counts as missing then.
extension ScenarioReader {
    mutating func value<Value>(
        _ field: YAMLField?,
        _ read: (YAMLField) throws(ProfileError) -> Value
    ) -> Value? {
        guard let field else { return nil }
        do throws(ProfileError) { return try read(field) } catch {
            refuse(error)
            return nil
        }
    }

    mutating func fields(of field: YAMLField, _ known: [String]) -> [String: YAMLField] {
        field.fields(known) { refuse($0) }
    }

    mutating func list(_ field: YAMLField) -> [YAMLField]? {
        value(field) { field throws(ProfileError) in try field.list() }
    }

    mutating func text(_ field: YAMLField?) -> String? {
        value(field) { field throws(ProfileError) in try field.text() }
    }

    /// A text that is printed in one line.
    mutating func name(_ field: YAMLField?) -> String? {
        let text = text(field)
        if let field, let text { checkName(text, field) }
        return text
    }

    mutating func checkName(_ text: String, _ field: YAMLField) {
        if !isSaved, let fault = faultOfName(text) { refuse(field.fail(fault)) }
    }

    mutating func path(_ field: YAMLField?) -> RelativePath? {
        let path = value(field) { field throws(ProfileError) in try field.path() }
        guard let field, let path else { return nil }
        checkName(path.description, field)
        return path
    }

    mutating func flag(_ field: YAMLField?) -> Bool? {
        value(field) { field throws(ProfileError) in try field.flag() }
    }

    mutating func count(_ field: YAMLField?) -> Int? {
        value(field) { field throws(ProfileError) in try field.count() }
    }

    mutating func count(_ field: YAMLField?, upTo most: Int, _ what: String) -> Int? {
        value(field) { field throws(ProfileError) in try field.count(upTo: most, what) }
    }

    mutating func duration(_ field: YAMLField?, upTo longest: Duration) -> Duration? {
        value(field) { field throws(ProfileError) in try field.duration(upTo: longest) }
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(_ field: YAMLField?) -> Value?
    where Value.RawValue == String {
        value(field) { field throws(ProfileError) in try field.choice() }
    }
}
