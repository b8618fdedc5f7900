import CLinux

/// A stack of its own for something that stops in the middle and goes on later, while others run.
///
/// All strands of a world are one thread: to hand over from one to another takes no more than a call.
@safe final class Coroutine {
    private let context: UnsafeMutablePointer<linux_strand>
    private var body: () -> Void = {}
    /// Nothing runs on it, or ever will unless it is started.
    private(set) var isDone = true

    /// Where the caller is, or a stack of its own.
    init(isCaller: Bool = false) {
        guard let context = unsafe linux_strand_create(isCaller ? 0 : 1) else {
            preconditionFailure("no memory for a stack")
        }
        unsafe self.context = context
    }

    deinit { unsafe linux_strand_destroy(context) }

    /// Runs `body` once it is switched to for the first time, and `next` after that.
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

    /// Stops here and lets the other one go on; returns when this one is switched to again.
    func hand(over other: Coroutine) { unsafe linux_strand_switch(context, other.context) }
}
