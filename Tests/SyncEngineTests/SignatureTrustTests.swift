import FileSystem
import Model
import SyncEngine
import Testing

/// Which signatures of files can be remembered. A tick of the clock is 10 ms here.
@Suite struct SignatureTrustTests {
    private let file = inApp("a.json")
    private let grain = Duration.milliseconds(10)

    private func signature(changedAt milliseconds: Int64) -> Signature {
        let changed = milliseconds * 1_000_000
        return Signature(device: 1, inode: 1, size: 1, modified: changed, changed: changed)
    }

    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(uptime: .milliseconds(milliseconds), unixNanoseconds: milliseconds * 1_000_000)
    }

    @Test func `a time stamp is trusted at once if no two changes can share it`() {
        var trust = SignatureTrust()
        let young = signature(changedAt: 100)
        let trusted = trust.trusted(young, of: file, grain: .zero, at: moment(100))
        #expect(trusted == young)
    }

    @Test func `a time stamp is trusted once it is older than a tick`() {
        var trust = SignatureTrust()
        let changed = signature(changedAt: 100)
        let (young, old) = (
            trust.trusted(changed, of: file, grain: grain, at: moment(110)),
            trust.trusted(changed, of: file, grain: grain, at: moment(111))
        )
        #expect(young == nil && old == changed)
    }

    @Test func `a time stamp in the future is trusted if it is unchanged for a tick after a second read`() {
        var trust = SignatureTrust()
        let future = signature(changedAt: 1_000_001)
        let trusted = [0, 20, 30, 31].map { trust.trusted(future, of: file, grain: grain, at: moment($0)) }
        #expect(trusted == [nil, nil, nil, future])
    }

    @Test func `a time stamp of whole seconds is trusted once a later change would have another one`() {
        var trust = SignatureTrust()
        let even = signature(changedAt: 4_000)
        let trusted = [4_100, 6_000, 6_001].map {
            trust.trusted(even, of: file, grain: grain, at: moment($0))
        }
        #expect(trusted == [nil, nil, even])
        #expect(trust.trusted(even, of: file, grain: .zero, at: moment(4_000)) == even)
    }

    @Test func `a document that was missing in between is read again`() {
        var trust = SignatureTrust()
        let future = signature(changedAt: 1_000_001)
        for time in [Int64(0), 20] { _ = trust.trusted(future, of: file, grain: grain, at: moment(time)) }
        trust.forget(file)
        let trusted = trust.trusted(future, of: file, grain: grain, at: moment(40))
        #expect(trusted == nil)
    }
}
