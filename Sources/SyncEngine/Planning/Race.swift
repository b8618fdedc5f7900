import Documents
import Model

/// A save that a publication displaced: both were made of the same base.
struct Race {
    let save: [UInt8]
    let base: [UInt8]
    /// `nil` if it is not known.
    let published: [UInt8]?

    /// Whether a later content, which the events say was made of the save, was made of it. It was not if it
    /// lacks the save and has what was published instead.
    func isIncluded(in later: DocumentSnapshot, by rule: DocumentRule, limits: JSONLimits) -> Bool {
        func has(_ new: [UInt8]) -> Bool? {
            ForwardMerge.has(later, changesFrom: base, to: new, by: rule, limits: limits)
        }
        return has(save) ?? true || published.flatMap(has) != true
    }
}
