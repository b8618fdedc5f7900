/// The paths to values that are searched without recursion, as a tree: each is a step from its parent.
struct PathSteps {
    private var steps: [(parent: Int?, token: [UInt8])] = []

    /// A step from `parent`; `nil` is the root.
    mutating func add(_ token: [UInt8], to parent: Int?) -> Int {
        steps.append((parent, token))
        return steps.count - 1
    }

    /// The path to a step, or to one beneath it.
    func pointer(_ step: Int?, _ last: [UInt8]? = nil) -> JSONPointer {
        var tokens = last.map { [$0] } ?? []
        var next = step
        while let number = next {
            tokens.append(steps[number].token)
            next = steps[number].parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }
}
