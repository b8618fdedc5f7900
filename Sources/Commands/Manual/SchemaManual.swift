/// The part of widgetbridge.yaml(5) about schemas.
enum SchemaManual {
    static let blocks: [ManualBlock] = [
        .text(
            """
            A schema is written in the part of JSON Schema 2020-12 that documents need. Other keywords are \
            refused, except those that begin with `x-`. `format` asserts `date-time`, `date`, `uuid` and \
            `uri`.
            """
        ),
        .terms(
            keywords.map { about, words in
                ManualTerm(about, words.map { "`\($0)`" }.joined(separator: ", ") + ".")
            }
        ),
    ]

    static let keywords: [(about: String, words: [String])] = [
        (
            "values",
            [
                "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                "multipleOf", "minLength", "maxLength", "pattern", "format",
            ]
        ),
        (
            "objects",
            [
                "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
                "dependentRequired", "minProperties", "maxProperties",
            ]
        ),
        (
            "arrays",
            [
                "items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems",
                "uniqueItems",
            ]
        ),
        (
            "combined",
            [
                "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "$defs", "$id", "$anchor",
                "$schema",
            ]
        ),
        (
            "annotations",
            [
                "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
                "$comment", "contentEncoding", "contentMediaType",
            ]
        ),
    ]
}
