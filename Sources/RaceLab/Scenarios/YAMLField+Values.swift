import Documents
import Model

// The values of scenarios.
extension YAMLField {
    /// `nil` if it has none of that name, or is no mapping.
    func member(_ name: String) -> YAMLField? { (try? members())?.first { $0.name == name }?.value }

    func choice<Value: RawRepresentable & CaseIterable>() throws(ProfileError) -> Value
    where Value.RawValue == String {
        let text = try text()
        guard let value = Value(rawValue: text) else {
            throw fail(.unknownWord(text, known: Value.allCases.map(\.rawValue)))
        }
        return value
    }

    func path() throws(ProfileError) -> RelativePath {
        let text = try text()
        guard let path = RelativePath(text), isDocument(path) else {
            throw fail("expected a document such as `budget.json`, found `\(text)`")
        }
        return path
    }

    func flag() throws(ProfileError) -> Bool {
        switch try text() {
        case "yes", "true": return true
        case "no", "false": return false
        case let other: throw fail("expected `yes` or `no`, found `\(other)`")
        }
    }

    /// `what`: what is counted.
    func count(upTo most: Int, _ what: String) throws(ProfileError) -> Int {
        let number = try count()
        if number > most { throw fail("more than \(most) \(what)") }
        return number
    }

    /// The text of a JSON document.
    func jsonText() throws(ProfileError) -> String {
        let text = try text()
        do throws(JSONError) { _ = try JSON(parsing: Array(text.utf8)) } catch {
            throw fail("expected a JSON document, which this is not")
        }
        return text
    }

    /// `5us`, `100ms`, `2s`.
    func duration(upTo longest: Duration) throws(ProfileError) -> Duration {
        let text = try text()
        let units: [(String, (Int) -> Duration)] = [
            ("us", { .microseconds($0) }), ("ms", { .milliseconds($0) }), ("s", { .seconds($0) }),
        ]
        for (unit, make) in units where text.hasSuffix(unit) {
            guard let number = Int(text.dropLast(unit.count)), number >= 0 else { continue }
            let time = number > 1_000_000_000_000 ? nil : make(number)
            guard let time, time <= longest else {
                throw fail("`\(text)` is longer than \(longest.components.seconds)s")
            }
            return time
        }
        throw fail("expected a time such as `100ms`, found `\(text)`")
    }
}
