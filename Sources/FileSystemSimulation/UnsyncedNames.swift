/// The changes of names that are not durable, oldest first; the changes of one call are one item.
struct UnsyncedNames {
    private(set) var items: [[SimulatedDisk.NameChange]] = []
    /// The directories of each item, by age. They stand apart because each sync looks through all of them.
    private var directories: [(Int, Int)] = []

    /// - Parameter item: of one directory, or of two.
    mutating func append(_ item: [SimulatedDisk.NameChange]) {
        guard let first = item.first, let last = item.last else { return }
        items.append(item)
        directories.append((first.directory.age, last.directory.age))
    }

    /// Takes the items of a directory, and for each that is also of another directory, the earlier ones
    /// there.
    mutating func take(of directory: Int) -> [[SimulatedDisk.NameChange]] {
        var reached: Set<Int> = [directory]
        var places: [Int] = []
        var index = directories.count
        while index > 0 {
            index -= 1
            let (first, last) = directories[index]
            guard reached.contains(first) || reached.contains(last) else { continue }
            reached.insert(first)
            reached.insert(last)
            places.append(index)
        }
        let taken = places.reversed().map { items[$0] }
        for index in places {
            items.remove(at: index)
            directories.remove(at: index)
        }
        return taken
    }
}
