import Model
import Testing

@testable import RaceLab

@Suite("A reload storm")
struct ReloadStormTests {
    @Test("is found only if the notices were sent so", arguments: [true, false])
    func storm(isSentSo: Bool) throws {
        var sight = try Sight(#"{"n":0}"#)
        sight.listens()
        for number in 0..<4 {
            let text = #"{"n":\#(number + 1)}"#
            sight.sees(.app, text)
            sight.sees(.group, text)
            sight.waits(.milliseconds(100))
        }
        for number in 0..<4 { sight.isTold(sentAt: .milliseconds(isSentSo ? number : number * 30)) }
        #expect(sight.judged().judgement.kinds.contains(.reloadStorm) == isSentSo)
    }
}
