import Stores
import Testing

@Suite("Values are equal")
struct StoreValueEqualityTests {
    @Test("if a file would hold the same")
    func equal() {
        #expect(StoreValue.real(.nan) == .real(-.nan))
        #expect(StoreValue.real(0) != .real(-0.0))
        #expect(StoreValue.float(0) != .float(-0.0))
        #expect(StoreValue.date(0) != .date(-0.0))
        #expect(StoreValue.string("é") != .string("e\u{301}"))
        #expect(StoreValue.strings(["é"]) != .strings(["e\u{301}"]))
        #expect(StoreValue.integer(1) != .real(1))
        #expect(StoreValue.array([.real(.nan), .string("a")]) == .array([.real(.nan), .string("a")]))
        #expect(StoreValue.dictionary(["a": .real(0)]) != .dictionary(["a": .real(-0.0)]))
    }

    @Test("only if their hashes are")
    func hashes() {
        #expect(Set([StoreValue.real(.nan), .real(-.nan), .real(.signalingNaN)]).count == 1)
        #expect(Set([StoreValue.string("é"), .string("e\u{301}"), .real(0), .real(-0.0)]).count == 4)
    }
}
