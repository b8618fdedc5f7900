package import Model

/// The decisions about the queue of events, without the queue.
package struct EventRules: Sendable, Hashable {
    /// The largest size of an event, in bytes.
    package var maxSize = 64 << 10
    /// The most events that wait for the app.
    package var mostWaiting = 10_000
    /// The most bytes that these have together.
    package var mostBytes = 64 << 20
    /// How long the ID of an acknowledged event is remembered, in milliseconds: 30 days.
    package var memory: Int64 = 30 * 86_400_000

    package init() {}

    /// The events that wait for the app.
    package struct Load: Sendable, Hashable {
        package var count: Int
        package var bytes: Int

        package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
    }

    /// Whether it has no room for the largest event.
    package func isFull(_ load: Load) -> Bool {
        load.count >= mostWaiting || load.bytes + maxSize > mostBytes
    }

    package enum Verdict: Sendable, Hashable {
        case append
        /// The queue has or had this event: nothing is to do.
        case repetition
        /// The ID is that of another event.
        case otherContent
        case full
    }

    /// - Parameter known: the content of the event with the same ID, if that is remembered.
    package func verdict(on event: NewEvent, known: Digest?, _ load: Load) -> Verdict {
        // Before the room is considered: a repetition needs none.
        if let known { return known == event.content ? .repetition : .otherContent }
        let hasRoom = load.count < mostWaiting && load.bytes + event.size <= mostBytes
        return hasRoom ? .append : .full
    }

    /// Two readings of the clock may be this far apart, in milliseconds; what is more counts as a clock that
    /// was set.
    private static let longestStep: Int64 = 86_400_000

    /// The time by which IDs are forgotten. A clock that is set forward must not forget them, so that it goes
    /// by no more than a day between two uses of the queue, and never back.
    ///
    /// - Parameters:
    ///   - last: What it was, and what the wall clock was then; `nil` for a new queue.
    ///   - wall: What the wall clock is now.
    package func time(after last: (time: Int64, wall: Int64)?, wall: Int64) -> Int64 {
        guard let last else { return wall }
        let (step, hasOverflown) = wall.subtractingReportingOverflow(last.wall)
        return last.time + (hasOverflown ? 0 : min(max(step, 0), Self.longestStep))
    }

    /// The IDs of events that were acknowledged before this time are forgotten.
    package func forgets(before now: Int64) -> Int64 { now - memory }
}
