import Documents
import Testing

@Suite struct UTCTimeTests {
    @Test(arguments: [
        (3600, "2026-01-18 15:30:00.123+01:00"), (0, "2026-01-18 14:30:00.123+00:00"),
        (-12_600, "2026-01-18 11:00:00.123-03:30"),
    ])
    func `Local times are shown with their offset`(_ offset: Int, _ text: String) {
        let milliseconds: Int64 = 1_768_746_600_123
        #expect(UTCTime.text(milliseconds, offset: offset) == text)
        #expect(UTCTime.milliseconds(rfc3339: text) == milliseconds)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_768_746_600_123, "2026-01-18T14:30:00.123Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)]
    )
    func `A time of day is printed and parsed`(_ milliseconds: Int64, _ text: String) {
        #expect(UTCTime.text(milliseconds) == text)
        #expect(UTCTime.milliseconds(text) == milliseconds)
    }

    @Test(arguments: ["2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-01-01T00:00:00Z"])
    func `An invalid time of day is refused`(_ text: String) {
        #expect(UTCTime.milliseconds(text) == nil)
    }

    @Test func `Every day of 400 years is parsed as it is printed`() {
        for day in stride(from: Int64(-200 * 365), to: 200 * 366, by: 1) {
            let milliseconds = day * 86_400_000 + 45_296_789
            #expect(UTCTime.milliseconds(UTCTime.text(milliseconds)) == milliseconds)
        }
    }
}
