/// Converts a field to another representation. A missing field or `null` stays.
struct ConvertLens: Lens {
    /// The two representations.
    enum Conversion: Sendable {
        /// `0` and `1` or booleans in the older version, booleans in the newer one. The older version gets
        /// what its base uses, else what `mostlyNumbers` says.
        case flag(mostlyNumbers: Bool)
        /// A decimal number in a string, and the number, with every digit.
        case decimal
        /// A whole number in a string, and the number.
        case integer
        /// A time. The older version gets the form that its base uses, else the first of `from`.
        case time(from: [TimeForm], to: TimeForm)
    }

    var key: [UInt8]
    var conversion: Conversion
    /// Whether the older version has the number and the newer one the string.
    var isReversed = false

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try convert(value, &work, isUp: !isReversed)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try convert(value, &work, isUp: isReversed)
    }

    private func convert(
        _ value: Draft.Value,
        _ work: inout LensWork,
        isUp: Bool
    ) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let index = work.index(of: key, in: object), let member = work.member(key, of: object),
            work.draft.kind(member) != .null
        else { return object }
        let text: [UInt8]?
        switch conversion {
        case .flag(let mostlyNumbers):
            text = try flag(member, work, isUp ? false : isNumberInExample(work) ?? mostlyNumbers)
        case .decimal: text = try decimal(member, work, isUp)
        case .integer: text = try integer(member, work, isUp)
        case .time(let older, let newer):
            text = try time(member, &work, isUp ? older : [newer], isUp ? [newer] : older)
        }
        guard let text, text != work.draft.text(member) else { return object }
        var new = work.draft.make(text)
        new.isDerived = member.isDerived
        work.replace(index, with: new, in: object)
        return object
    }

    private func flag(
        _ value: Draft.Value,
        _ work: LensWork,
        _ toNumber: Bool
    ) throws(DocumentError) -> [UInt8]? {
        let isSet: Bool
        switch work.draft.kind(value) {
        case .true: isSet = true
        case .false: isSet = false
        case .number:
            let number = ExactDecimal(work.draft.text(value)).integer
            guard number == 0 || number == 1 else { fallthrough }
            isSet = number == 1
        default: throw work.mismatch(value, expected: .flag, at: key)
        }
        return Array((toNumber ? (isSet ? "1" : "0") : (isSet ? "true" : "false")).utf8)
    }

    /// Whether the base has a number here; `nil` if it has no such field.
    private func isNumberInExample(_ work: LensWork) -> Bool? {
        guard let example = work.example, let node = work.exampleNode(at: work.place.appending(key)) else {
            return nil
        }
        return example.kind(node) == .number
    }

    private func decimal(_ value: Draft.Value, _ work: LensWork, _ isUp: Bool) throws(DocumentError)
        -> [UInt8]?
    {
        switch work.draft.kind(value) {
        case .number: return isUp ? nil : escaped(work.draft.text(value))
        case .string:
            guard let text = work.draft.string(value), isNumber(text) else { break }
            return isUp ? text : nil
        default: break
        }
        throw work.mismatch(value, expected: isUp ? .decimal : .number, at: key)
    }

    private func integer(_ value: Draft.Value, _ work: LensWork, _ isUp: Bool) throws(DocumentError)
        -> [UInt8]?
    {
        let text = work.draft.string(value) ?? work.draft.text(value)
        switch work.draft.kind(value) {
        // Only text that equals the digits of its number: `007` may be a name.
        case .string where isNumber(text) && text != Array("-0".utf8):
            let digits = text.drop { $0 == UInt8(ascii: "-") }
            guard digits.allSatisfy(\.isDigit) else { break }
            return isUp ? text : nil
        case .number where ExactDecimal(text).isInteger:
            if isUp { return nil }
            guard let written = WrittenDecimal(ExactDecimal(text)) else { break }
            return written.json(isString: true)
        default: break
        }
        throw work.mismatch(value, expected: isUp ? .integerText : .integer, at: key)
    }

    private func isNumber(_ text: [UInt8]) -> Bool {
        guard let json = try? JSON(parsing: text) else { return false }
        return json.kind(JSON.root) == .number && json.range(of: JSON.root) == 0..<text.count
    }

    private func time(
        _ value: Draft.Value,
        _ work: inout LensWork,
        _ from: [TimeForm],
        _ to: [TimeForm]
    ) throws(DocumentError) -> [UInt8]? {
        let kind = work.draft.kind(value)
        let text = work.draft.string(value) ?? work.draft.text(value)
        let isTime = kind == .string || kind == .number
        guard isTime, let form = TimeForm.form(of: text, isString: kind == .string, among: from) else {
            // The value already has the new form.
            if isTime, TimeForm.form(of: text, isString: kind == .string, among: to) != nil { return nil }
            throw work.mismatch(value, expected: .times(from), at: key)
        }
        let used = used(among: to, work)
        let goal = used?.form ?? to[0]
        if form.needsZone || goal.needsZone, work.zone == nil {
            throw .noTimeZone(work.place.appending(key).description)
        }
        guard let reading = form.read(text, zone: work.zone), reading.instant.isWritable,
            let writing = goal.write(reading.instant, zone: work.zone)
        else { throw work.mismatch(value, expected: .writableTime(form), at: key) }
        // The base has the same instant, so its exact text is used.
        if let used, reading.instant.isSame(as: used.form.read(used.text, zone: work.zone)?.instant) {
            if let loss = reading.loss { work.lose(key, .time(loss)) }
            return used.json
        }
        if let loss = reading.loss ?? writing.loss { work.lose(key, .time(loss)) }
        return goal.isString ? escaped(writing.text) : writing.text
    }

    /// A time as the base writes it.
    private struct UsedTime {
        var form: TimeForm
        var text: [UInt8]
        var json: [UInt8]
    }

    private func used(among forms: [TimeForm], _ work: LensWork) -> UsedTime? {
        guard let example = work.example, let node = work.exampleNode(at: work.place.appending(key)) else {
            return nil
        }
        let kind = example.kind(node)
        guard kind == .string || kind == .number else { return nil }
        let text = kind == .string ? example.string(node) : example.slice(node)
        return TimeForm.form(of: text, isString: kind == .string, among: forms).map {
            UsedTime(form: $0, text: text, json: example.slice(node))
        }
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        let (old, new) = isReversed ? (types.new, types.old) : types
        try shape.changeFields { fields throws(ShapeFault) in
            guard let index = fields.index(of: key) else {
                if fields.others != nil { return }
                throw fields.missing(key)
            }
            guard case .types(let types) = fields.list[index].shape else { return }
            let old = old.contains(.number) ? old.union(.integer) : old
            guard !types.isDisjoint(with: old) else {
                throw .inconvertible(name(key), types, from: old)
            }
            fields.list[index].shape = .types(types.contains(.null) ? new.union(.null) : new)
        }
    }

    private var types: (old: SchemaTypes, new: SchemaTypes) {
        switch conversion {
        case .flag: return ([.number, .integer, .boolean], .boolean)
        case .decimal: return (.string, .number)
        case .integer: return (.string, .integer)
        case .time(let from, let to):
            var old: SchemaTypes = []
            for form in from { old.formUnion(form.isString ? .string : [.number, .integer]) }
            return (old, to.isString ? .string : .number)
        }
    }

    var needsZone: Bool {
        guard case .time(let from, let to) = conversion else { return false }
        return to.needsZone || from.contains(where: \.needsZone)
    }

    var words: String {
        switch conversion {
        case .flag: "convert `\(name(key))` from 0 or 1 to a boolean"
        case .decimal:
            isReversed
                ? "convert `\(name(key))` from a number to text"
                : "convert `\(name(key))` from text to a number"
        case .integer:
            isReversed
                ? "convert `\(name(key))` from an integer to text"
                : "convert `\(name(key))` from text to an integer"
        case .time(let from, let to):
            "convert `\(name(key))` from \(from.map(\.rawValue).joined(separator: ", ")) to \(to.rawValue)"
        }
    }
}
