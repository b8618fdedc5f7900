/// The categories of plural forms of CLDR
/// (https://cldr.unicode.org/index/cldr-spec/plural-rules), in the order in which it lists them.
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero, one, two, few, many, other
}
