import Model
import Testing

@Suite("A digest")
struct DigestTests {
    static let text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func isPrintedAsItIsRead() throws {
        let digest = try #require(Digest(Self.text))
        #expect(digest.description == Self.text)
        #expect(Digest(bytes: digest.bytes) == digest)
        #expect(digest.hex == Self.text.dropFirst("sha256:".count))
        #expect(digest.shortHex == digest.hex.prefix(16))
        #expect(Digest(bytes: digest.bytes.dropLast()) == nil)
    }

    @Test(arguments: [
        "", "sha256:", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", DigestTests.text + "0",
        "sha256:zz7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ])
    func isReadInOneFormOnly(text: String) {
        #expect(Digest(text) == nil)
    }
}
