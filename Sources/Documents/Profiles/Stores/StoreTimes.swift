/// How a time is written in the document, and how in its store.
package struct StoreTimes: Sendable, Hashable {
    /// The forms that the document may have; the first is used when the document is made from the store.
    package var document: [TimeForm]
    package var store: TimeForm

    package init(document: [TimeForm], store: TimeForm) { (self.document, self.store) = (document, store) }

    /// The value of the document in the form of the store; `nil` if it has none of the forms, or the time has
    /// no such form. What is finer than milliseconds is cut off in `milliseconds`.
    package func stored(_ value: JSONValue, zone: TimeZoneRules?) -> JSONValue? {
        Self.convert(value, from: document, to: store, zone)
    }

    /// The value of the store in the form of the document.
    package func documented(_ value: JSONValue, zone: TimeZoneRules?) -> JSONValue? {
        document.first.flatMap { Self.convert(value, from: [store], to: $0, zone) }
    }

    var needsZone: Bool { store.needsZone || document.contains(where: \.needsZone) }

    private static func convert(
        _ value: JSONValue,
        from forms: [TimeForm],
        to goal: TimeForm,
        _ zone: TimeZoneRules?
    ) -> JSONValue? {
        let text: [UInt8]
        let isString: Bool
        switch value {
        case .string(let bytes): (text, isString) = (bytes, true)
        case .number(let number): (text, isString) = (Array(number.utf8), false)
        default: return nil
        }
        guard let form = TimeForm.form(of: text, isString: isString, among: forms),
            let reading = form.read(text, zone: zone), reading.instant.isWritable,
            let writing = goal.write(reading.instant, zone: zone)
        else { return nil }
        return goal.isString
            ? .string(writing.text) : .number(String(decoding: writing.text, as: UTF8.self))
    }
}
