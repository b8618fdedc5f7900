internal import CLinux
internal import NIOCore
internal import NIOPosix

/// Settings for a process that runs for weeks and must use little memory and time. Call them first.
package enum ProcessTuning {
    /// One thread runs all connections and tasks of this process. Must be called before the first of either.
    ///
    /// By default tasks run on libdispatch, which then wakes the process every second to check its workers.
    /// swift-nio could run the tasks too, but looks for the runtime's hook with `dlsym`, which finds nothing
    /// in a statically linked program.
    package static func useOneThread() {
        NIOSingletons.groupLoopCountSuggestion = 1
        NIOSingletons.blockingPoolThreadCountSuggestion = 1
        unsafe linux_take_tasks { task in
            let job = unsafe unsafeBitCast(task, to: UnownedJob.self)
            MultiThreadedEventLoopGroup.singleton.any().executor.enqueue(ExecutorJob(job))
        }
    }

    /// Returns large blocks of memory to the kernel once they are free.
    package static func giveMemoryBack() { linux_give_memory_back() }
}
