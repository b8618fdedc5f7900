import Testing

@testable import Watching

@Suite struct PollingReasonTests {
    static let reasons: [(PollingReason, String)] = [
        (.noHelper, "widgetbridge-watch is neither beside this program nor on the search path"),
        (.complained("no room"), "no room"), (.ended, "widgetbridge-watch ended"),
        (.silent, "widgetbridge-watch does not answer"),
        (.limited(.watchLimit(unwatched: 3, cause: "max")), "watch-limit 3 max"),
    ]

    @Test(arguments: reasons)
    func `Each reason for polling has its text`(reason: PollingReason, words: String) {
        #expect(reason.text == words)
    }
}
