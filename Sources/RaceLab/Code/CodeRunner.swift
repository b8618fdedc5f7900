/// Runs an actor's code on a stack of its own, from one call on its container to the next.
final class CodeRunner {
    /// A call on the container, before it is carried out.
    struct Request {
        var verb: Operation.Verb
        /// The index in the scenario.
        var document = 0
        /// What to save.
        var bytes: [UInt8] = []
        /// What a put replaces; `nil`: the document is absent.
        var expected: [UInt8]?
        var duration = Duration.zero
    }

    enum Answer {
        case content([UInt8]?)
        case done
        case refused
    }

    private let code: ActorCode
    let documents: [String]
    private var stack = Coroutine()
    private let caller = Coroutine(isCaller: true)
    /// What the code waits for; `nil` once it has returned.
    private(set) var request: Request?
    /// How many steps of that were taken.
    var phase = 0
    /// The error that the code threw.
    private(set) var failure: String?
    private var answer = Answer.done
    private var isRunning = false
    private var isStopped = false
    private var ignored = 0

    /// Code that ignores this many errors after the end of the run never returns, and is left where it is.
    private static var mostIgnored: Int { 1_000 }

    init(_ code: ActorCode, documents: [String]) {
        self.code = code
        self.documents = documents
    }

    /// Runs the code to its first call.
    func start() {
        if !stack.isDone { stack = Coroutine() }
        (request, failure, isStopped, ignored) = (nil, nil, false, 0)
        stack.start(then: caller) { [unowned self] in
            do { try code.body(RaceContainer(self)) } catch {
                if !isStopped { failure = "\(error)" }
            }
            request = nil
        }
        goOn()
    }

    /// Gives it the result of its call, and runs it to the next one.
    func resume(_ answer: Answer) {
        self.answer = answer
        goOn()
    }

    /// Ends code that waits at the end of a run: its calls throw.
    func stop() {
        guard !stack.isDone else { return }
        isStopped = true
        goOn()
    }

    private func goOn() {
        request = nil
        phase = 0
        isRunning = true
        caller.hand(over: stack)
        isRunning = false
    }

    /// Called by the code: returns once the call was carried out.
    func ask(_ request: Request) throws(RaceCallError) -> Answer {
        guard isRunning else { throw .ended }
        if !isStopped || ignored >= Self.mostIgnored {
            self.request = request
            stack.hand(over: caller)
        }
        ignored += isStopped ? 1 : 0
        if isStopped { throw .ended }
        return answer
    }
}
