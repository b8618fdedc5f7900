internal import CLinux
internal import NIOCore
internal import NIOPosix

/// What a process that runs for weeks beside others owes them. To be said before anything else is done.
package enum ProcessTuning {
    /// One thread carries all connections of this process and its tasks; it must be said before the first of
    /// either.
    ///
    /// Left to themselves, tasks run on libdispatch, which then wakes the process every second for ever, to
    /// see how its workers do. swift-nio can take the tasks over, too, but looks for the runtime's hook with
    /// `dlsym`, which finds nothing in a program that is linked statically.
    package static func useOneThread() {
        NIOSingletons.groupLoopCountSuggestion = 1
        NIOSingletons.blockingPoolThreadCountSuggestion = 1
        unsafe linux_take_tasks { task in
            let job = unsafe unsafeBitCast(task, to: UnownedJob.self)
            MultiThreadedEventLoopGroup.singleton.any().executor.enqueue(ExecutorJob(job))
        }
    }

    /// Large blocks of memory go back to the kernel once they are free.
    package static func giveMemoryBack() { linux_give_memory_back() }
}
