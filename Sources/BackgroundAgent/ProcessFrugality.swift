internal import CLinux
internal import NIOCore
internal import NIOPosix

/// What a process that runs for weeks beside others owes them. To be said before anything else is done.
package enum ProcessFrugality {
    /// One thread carries all connections of this process and its tasks; it must be said before the first of
    /// either.
    ///
    /// Left to themselves, tasks run on libdispatch, which then wakes the process every second for ever, to
    /// see how its workers do. Where the hook is not to be had (swift-nio knows the compilers it is sound
    /// with), that is all that changes.
    package static func useOneThread() {
        NIOSingletons.groupLoopCountSuggestion = 1
        NIOSingletons.blockingPoolThreadCountSuggestion = 1
        NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
    }

    /// Large blocks of memory go back to the kernel once they are free.
    package static func giveMemoryBack() { linux_give_memory_back() }
}
