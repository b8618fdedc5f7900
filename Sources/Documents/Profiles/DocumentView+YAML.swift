extension DocumentView {
    /// `views: [1]`, for readers in the group container, or `views: {app: [1], group: [2]}`.
    static func all(
        _ field: YAMLField,
        _ document: String,
        _ versions: [Int]
    ) throws(ProfileError) -> [DocumentView] {
        guard field.isMapping else { return try list(field, document, versions, in: .group) }
        let containers = Container.allCases
        let fields = try field.fields(containers.map(\.rawValue))
        var views: [DocumentView] = []
        for container in containers {
            guard let list = fields[container.rawValue] else { continue }
            views += try Self.list(list, document, versions, in: container)
        }
        return views
    }

    private static func list(
        _ list: YAMLField,
        _ document: String,
        _ versions: [Int],
        in container: Container
    ) throws(ProfileError) -> [DocumentView] {
        var views: [DocumentView] = []
        for field in try list.list() {
            let number = try field.version()
            guard versions.contains(number) else { throw field.fail(.versions(.unknown(number))) }
            let view = DocumentView(of: document, number, in: container)
            guard !views.contains(view) else { throw field.fail(.versions(.repeated(number))) }
            views.append(view)
        }
        return views
    }
}
