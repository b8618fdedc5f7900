/// A set that knows its least element.
///
/// A heap: a removed element is dropped when it comes first, or when removed elements are half of the heap.
package struct MinimumSet<Element: Hashable & Comparable & Sendable>: Sendable {
    private var members: Set<Element> = []
    /// The first element is always a member, if there are any.
    private var heap: [Element] = []

    package init() {}

    package var isEmpty: Bool { members.isEmpty }
    package var least: Element? { heap.first }

    /// The least element, followed by other small ones.
    package func small(_ limit: Int) -> some Sequence<Element> {
        heap.lazy.filter { members.contains($0) }.prefix(limit)
    }

    package mutating func insert(_ element: Element) {
        guard members.insert(element).inserted else { return }
        heap.append(element)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index] < heap[parent] else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    package mutating func remove(_ element: Element) {
        guard members.remove(element) != nil else { return }
        // A sorted array is a heap, too.
        if heap.count > members.count * 2 + 16 { heap = members.sorted() }
        while let first = heap.first, !members.contains(first) { removeFirst() }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        if heap.isEmpty { return }
        heap[0] = last
        var index = 0
        while index * 2 + 1 < heap.count {
            var child = index * 2 + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[index] else { break }
            heap.swapAt(index, child)
            index = child
        }
    }
}
