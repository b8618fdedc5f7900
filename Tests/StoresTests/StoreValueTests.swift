import Stores
import Testing

@Test("Every value has a type with a name of its own")
func valueTypes() {
    #expect(StoreValue.unsigned(.max).type == .integer)
    #expect(Set(StoreType.allCases.map(\.rawValue)).count == StoreType.allCases.count)
}

@Test("Values are equal if they are written as the same")
func valueEquality() {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed)
    for (a, b) in [
        (StoreValue.string(composed), StoreValue.string(decomposed)),
        (.strings([composed]), .strings([decomposed])),
        (.dictionary([ExactText(composed): .bool(true)]), .dictionary([ExactText(decomposed): .bool(true)])),
        (.real(0), .real(-0.0)),
        (.array([.string(composed)]), .array([.string(decomposed)])), (.float(0), .float(-0.0)),
        (.integer(1), .int32(1)), (.integer(1), .unsigned(1)), (.real(1), .date(1)),
    ] {
        #expect(a != b)
        #expect(a == a && b == b)
        #expect(Set([a, b]).count == 2)
    }
    // Android's sets have the order of a hash table.
    #expect(StoreValue.strings(["a", "b"]) == .strings(["b", "a"]))
    #expect(Set([StoreValue.strings(["a", "b"]), .strings(["b", "a"])]).count == 1)
    #expect(StoreValue.strings(["a", "a", "b"]) != .strings(["a", "b"]))
    for number in [StoreValue.real(.nan), .float(.nan), .date(.nan), .array([.real(.nan)])] {
        #expect(number == number)
        #expect(Set([number, number]).count == 1)
    }
}
