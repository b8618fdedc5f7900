import Model
import RaceLab
import Testing

@Suite struct RestTextTests {
    @Test func `Why two sides differ is said in these words`() {
        let reasons: [(Inequality, String)] = [
            (.unreadable, "unreadable, and not held"), (.values, "the values differ"),
            (.valuesInVersion(2), "the values differ in version 2"), (.absent(.app), "app does not have it"),
        ]
        for (reason, words) in reasons { #expect(reason.text == words) }
    }

    @Test func `A run that never came to rest says after how many steps it was given up`() {
        #expect(Rest.Unrest.steps(7).text == "the run had not ended after 7 steps")
    }
}
