import Stores
import Testing

extension PropertyListSamples {
    /// Two keys that differ in their bytes only, in the outermost dictionary and in one within it.
    static func checkLookalikes<File: KeyedFile>(_: File.Type) throws {
        let (composed, decomposed): (ExactText, ExactText) = ("caf\u{E9}", "cafe\u{301}")
        let inner = StoreValue.dictionary([composed: .integer(3), decomposed: .integer(4)])
        let one = try File(parsing: File().replacing([composed: .integer(1)]), limits: StoreLimits())
        #expect(one[decomposed.text] == nil)
        let two = try File(
            parsing: one.replacing([decomposed: .integer(2), "inner": inner]),
            limits: StoreLimits()
        )
        #expect(two.keys.count == 3)
        #expect(two[composed.text] == .integer(1) && two[decomposed.text] == .integer(2))
        #expect(two["inner"] == inner)
        let less = try File(parsing: two.replacing([composed: nil]), limits: StoreLimits())
        #expect(less[composed.text] == nil && less[decomposed.text] == .integer(2))
    }
}
