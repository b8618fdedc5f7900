import Glibc

/// A stack of its own for something that stops in the middle and goes on later, while others run.
///
/// It is a thread, but never runs at the same time as the one that resumed it: whoever hands over waits.
@safe final class Strand {
    /// Threads live longer than the call that makes them: this is what both of them hold.
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private let turn: UnsafeMutablePointer<sem_t>
    private var thread = pthread_t()
    private var isStarted = false
    /// Nothing will ever run on it again.
    var isDone = false

    init() {
        unsafe turn = .allocate(capacity: 1)
        unsafe sem_init(turn, 0, 0)
    }

    deinit {
        unsafe sem_destroy(turn)
        unsafe turn.deallocate()
    }

    /// Runs `body` on this strand once it is resumed for the first time.
    func start(_ body: @escaping () -> Void) {
        let context = unsafe Unmanaged.passRetained(
            Body { [unowned self] in
                wait()
                body()
            }
        )
        isStarted =
            unsafe pthread_create(
                &thread,
                nil,
                { context in
                    guard let context = unsafe context else { return nil }
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                },
                context.toOpaque()
            ) == 0
    }

    func resume() { _ = unsafe sem_post(turn) }

    func wait() { while unsafe sem_wait(turn) != 0 {} }

    /// Waits until its body has come to its end.
    func join() { if isStarted { pthread_join(thread, nil) } }
}
