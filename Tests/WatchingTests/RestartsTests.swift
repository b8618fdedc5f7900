import Testing

@testable import Watching

@Suite struct RestartsTests {
    @Test func `the waits double, and the fifth failure leads to polling`() {
        var restarts = Restarts(at: .zero)
        #expect(restarts.isDue(at: .zero))
        var now = Duration.zero
        var waits: [Duration] = []
        for _ in 0..<4 {
            restarts.started()
            #expect(restarts.startAt == nil)
            restarts.ended(.ended, at: now)
            #expect(restarts.reason == nil)
            guard let start = restarts.startAt else { return }
            waits.append(start - now)
            now = start
        }
        #expect(waits == [100, 200, 400, 800].map { .milliseconds($0) })
        restarts.started()
        restarts.ended(.complained("gone for good"), at: now)
        #expect(restarts.reason == .complained("gone for good"))
        #expect(restarts.startAt == now + .seconds(60))
    }

    @Test func `a helper that ran long enough resets the count of failures`() {
        var restarts = Restarts(at: .zero)
        for _ in 0..<3 { restarts.ended(.ended, at: .zero) }
        restarts.started()
        restarts.becameReady(at: .seconds(1))
        restarts.ended(.ended, at: .seconds(12))
        #expect(restarts.failures == 1)
    }

    @Test func `the second hang leads to polling, unless the helper ran long enough before`() {
        var restarts = Restarts(at: .zero)
        for time in [Duration.seconds(20), .seconds(40)] {
            restarts.started()
            #expect(!restarts.isReady)
            restarts.becameReady(at: time - .seconds(15))
            #expect(restarts.isReady)
            restarts.ended(.silent, at: time)
            #expect(restarts.reason == nil)
        }
        restarts.started()
        restarts.ended(.silent, at: .seconds(45))
        #expect(restarts.reason == .silent)
        #expect(restarts.startAt == .seconds(105))
    }

    @Test func `a helper that dies soon after it was ready does not reset the count`() {
        var restarts = Restarts(at: .zero)
        for number in 1...5 {
            restarts.started()
            restarts.becameReady(at: .zero)
            restarts.ended(.complained("crash"), at: .seconds(1))
            #expect(restarts.failures == number)
        }
        #expect(restarts.reason == .complained("crash"))
        restarts.started()
        #expect(restarts.reason == .complained("crash"))
        restarts.becameReady(at: .seconds(70))
        #expect(restarts.reason == nil)
    }
}
