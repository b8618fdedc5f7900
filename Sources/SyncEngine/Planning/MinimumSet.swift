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
        var place = heap.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place] < heap[parent] else { break }
            heap.swapAt(place, parent)
            place = parent
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
        var place = 0
        while place * 2 + 1 < heap.count {
            var child = place * 2 + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[place] else { break }
            heap.swapAt(place, child)
            place = child
        }
    }
}
