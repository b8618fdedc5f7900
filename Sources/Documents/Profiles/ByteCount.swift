/// The number of bytes that a text such as `8388608`, `8MiB` or `8 MiB` stands for; `nil` for another text.
package func byteCount(_ text: String) -> Int? {
    let number = text.prefix { $0.isASCII && $0.isNumber }
    let shifts = ["": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30]
    let rest = text.dropFirst(number.count)
    let unit = rest.first == " " ? rest.dropFirst() : rest
    guard let shift = shifts[String(unit)], let count = Int(number), count > 0, count <= Int.max >> shift
    else { return nil }
    return count << shift
}
