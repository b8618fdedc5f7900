/// Checks all that an object contains: its types, its texts, its keys, and that it is finite.
///
/// Objects may be shared: a few bytes can then represent more values than fit in memory. Each object is
/// checked once, and what it expands to is counted without expanding it.
struct BinaryObjectCheck {
    private let table: BinaryObjectTable
    private let limits: StoreLimits
    private var extents: [Extent?]
    /// Those of the outermost dictionary, in order, and the place of each.
    private(set) var keys: (inOrder: [String], places: [ExactText: Int]) = ([], [:])
    /// Whether it contains the object that is being checked.
    private var isOpen: [Bool]

    /// What an object expands to.
    private struct Extent {
        var values = 1
        /// Of texts and data.
        var bytes = 0
        /// Levels of arrays and dictionaries.
        var depth = 0

        /// Another value inside this one.
        mutating func add(_ inner: Extent) {
            depth = max(depth, inner.depth + 1)
            values = Self.sum(values, inner.values)
            bytes = Self.sum(bytes, inner.bytes)
        }

        /// At most `Int.max`: shared objects double it with every level.
        private static func sum(_ a: Int, _ b: Int) -> Int {
            let (sum, overflows) = a.addingReportingOverflow(b)
            return overflows ? .max : sum
        }
    }

    init(_ table: BinaryObjectTable, limits: StoreLimits) {
        (self.table, self.limits) = (table, limits)
        extents = Array(repeating: nil, count: table.trailer.count)
        isOpen = Array(repeating: false, count: table.trailer.count)
    }

    /// Returns how many values and how many bytes of texts and data it expands to.
    mutating func check(_ reference: Int) throws(StoreFault) -> (values: Int, bytes: Int) {
        let extent = try extent(of: reference, level: 0)
        return (extent.values, extent.bytes)
    }

    private mutating func extent(of reference: Int, level: Int) throws(StoreFault) -> Extent {
        let extent: Extent
        if let known = extents[reference] {
            extent = known
        } else {
            extent = try measure(reference, level: level)
            extents[reference] = extent
        }
        guard level + extent.depth <= limits.maxDepth else { throw .tooDeep(limit: limits.maxDepth) }
        return extent
    }

    private mutating func measure(_ reference: Int, level: Int) throws(StoreFault) -> Extent {
        let object = try table.object(reference)
        switch object.kind {
        case .plain: return Extent()
        case .data: return Extent(bytes: object.content.count)
        case .asciiString, .utf16String:
            _ = try table.string(object)
            return Extent(bytes: object.content.count)
        case .array, .dictionary:
            guard !isOpen[reference] else {
                throw table.fault(.reference(reference), at: object.range.lowerBound)
            }
            guard level < limits.maxDepth else { throw .tooDeep(limit: limits.maxDepth) }
            isOpen[reference] = true
            defer { isOpen[reference] = false }
            return try contents(of: object, level: level + 1)
        }
    }

    private mutating func contents(of object: BinaryObject, level: Int) throws(StoreFault) -> Extent {
        var references = try table.references(of: object)[...]
        var sum = Extent(depth: 1)
        if case .dictionary = object.kind {
            let keys = references.prefix(references.count / 2)
            let found = try self.keys(keys, bytes: &sum.bytes)
            if level == 1 { self.keys = found }
            references = references.dropFirst(keys.count)
        }
        for reference in references {
            let extent = try extent(of: reference, level: level)
            sum.add(extent)
            try checkSize(sum)
        }
        return sum
    }

    private func keys(
        _ references: ArraySlice<Int>,
        bytes: inout Int
    ) throws(StoreFault) -> (inOrder: [String], places: [ExactText: Int]) {
        var keys: [String] = []
        keys.reserveCapacity(references.count)
        var places = [ExactText: Int](minimumCapacity: references.count)
        for reference in references {
            let key = try table.key(reference)
            guard places.updateValue(keys.count, forKey: ExactText(key)) == nil else {
                throw .duplicateKey(.binaryPropertyList, key)
            }
            keys.append(key)
            bytes += key.utf8.count
        }
        return (keys, places)
    }

    private func checkSize(_ extent: Extent) throws(StoreFault) {
        guard extent.values <= limits.maxValues else { throw .tooManyValues(limit: limits.maxValues) }
        guard extent.bytes <= limits.maxBytes else {
            throw .tooLarge(bytes: extent.bytes, limit: limits.maxBytes)
        }
    }
}
