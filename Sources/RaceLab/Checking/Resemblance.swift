/// What a half-written content has in common with whole ones.
struct Resemblance {
    /// So many bytes of it begin one of those.
    let offset: Int
    /// The content that it begins, and one that ends as it does.
    let versions: [Int]

    init(of half: Int, to whole: Set<Int>, _ history: History) {
        let bytes = history.versions[half].bytes
        let whole = whole.sorted()
        var best: (length: Int, version: Int)?
        for one in whole {
            let length = zip(bytes, history.versions[one].bytes).prefix { $0 == $1 }.count
            if length > best?.length ?? -1 { best = (length, one) }
        }
        let offset = best?.length ?? 0
        let tail = whole.first { one in
            one != best?.version && offset < bytes.count
                && history.versions[one].bytes.dropFirst(offset).elementsEqual(bytes.dropFirst(offset))
        }
        self.offset = offset
        versions = [best?.version, tail].compactMap(\.self)
    }
}
