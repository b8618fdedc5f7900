/// Equal values are written as the same: texts have the same bytes, numbers the same bits. Swift's own
/// equality would take two spellings of `é` for one, and a value that is not a number for a change each time
/// it is read.
extension StoreValue {
    package static func == (a: StoreValue, b: StoreValue) -> Bool {
        switch (a, b) {
        case (.string(let a), .string(let b)): ExactText(a) == ExactText(b)
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)), (.uid(let a), .uid(let b)): a == b
        case (.int32(let a), .int32(let b)): a == b
        case (.real(let a), .real(let b)), (.date(let a), .date(let b)):
            a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
        case (.data(let a), .data(let b)): a == b
        case (.strings(let a), .strings(let b)):
            a.count == b.count && Set(a.map(ExactText.init(_:))) == Set(b.map(ExactText.init(_:)))
        case (.array(let a), .array(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .string(let text): hasher.combine(ExactText(text))
        case .bool(let flag): hasher.combine(flag)
        case .integer(let number): hasher.combine(number)
        case .unsigned(let number), .uid(let number): hasher.combine(number)
        case .int32(let number): hasher.combine(number)
        case .real(let number), .date(let number): hasher.combine(number.isNaN ? 0 : number.bitPattern)
        case .float(let number): hasher.combine(number.isNaN ? 0 : number.bitPattern)
        case .data(let bytes): hasher.combine(bytes)
        case .strings(let texts): hasher.combine(Set(texts.map(ExactText.init(_:))))
        case .array(let elements): hasher.combine(elements)
        case .dictionary(let members): hasher.combine(members)
        }
    }
}
