import Dispatch
package import Testing

/// Runs each test on its own thread. The pool of Swift's tasks has one thread per processor: tests that
/// compute for minutes would occupy all of them, and those that wait for a program would time out.
package struct ThreadPerTest: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Thread(), operation: function)
    }

    /// A serial queue has a thread outside the pool.
    private final class Thread: TaskExecutor {
        private let queue = DispatchQueue(label: "test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == ThreadPerTest {
    package static var threadPerTest: Self { ThreadPerTest() }
}
