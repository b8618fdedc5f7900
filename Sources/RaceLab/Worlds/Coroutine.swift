import CLinux

/// A separate stack for a computation that pauses and continues while others run.
///
/// All coroutines of a world share one thread: switching is only a function call.
@safe final class Coroutine {
    private let context: UnsafeMutablePointer<linux_strand>
    private var body: () -> Void = {}
    /// Nothing runs on it until it is started.
    private(set) var isDone = true

    /// The caller's stack, or a new one.
    init(isCaller: Bool = false) {
        guard let context = unsafe linux_strand_create(isCaller ? 0 : 1) else {
            preconditionFailure("no memory for a stack")
        }
        unsafe self.context = context
    }

    deinit { unsafe linux_strand_destroy(context) }

    /// Runs `body` when it is first switched to, and then switches to `next`.
    func start(then next: Coroutine, _ body: @escaping () -> Void) {
        self.body = body
        isDone = false
        unsafe linux_strand_begin(
            context,
            next.context,
            { coroutine in
                guard let coroutine = unsafe coroutine else { return }
                unsafe Unmanaged<Coroutine>.fromOpaque(coroutine).takeUnretainedValue().run()
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func run() {
        body()
        body = {}
        isDone = true
    }

    /// Pauses this coroutine and continues the other; returns when this one is continued.
    func hand(over other: Coroutine) { unsafe linux_strand_switch(context, other.context) }
}
