extension DocumentRule {
    static let assetKeys = ["limit", "direction", "kinds"]

    /// Reads a member of `assets:`.
    init(asset path: String, _ field: YAMLField) throws(ProfileError) {
        self = .plain(path: path)
        let fields = try field.fields(Self.assetKeys)
        asset = AssetRule()
        if let field = fields["limit"] {
            let text = try field.text(.size)
            guard let count = byteCount(text) else { throw field.fail(.expected(.size, .text(text))) }
            asset?.limit = count
        }
        if let field = fields["direction"] { direction = try DocumentDirection(field) }
        if let names = fields["kinds"] { kinds = try names.texts().map { WidgetKind(name: $0, shows: []) } }
    }
}
