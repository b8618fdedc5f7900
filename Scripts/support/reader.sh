# Part of Scripts/bench: a widget's process that reads one document.

# A widget's process starts for each timeline, so it is linked as a widget should be: with nothing to load.
compile_reader() {
    swiftc -O -wmo -static-stdlib -parse-as-library -suppress-warnings -enable-upcoming-feature InternalImportsByDefault \
        -module-name ReaderBenchmark -o "$workspace/reader" \
        "$repository"/Sources/WidgetBridgeReader/*.swift "$repository/Scripts/support/ReaderBenchmark.swift"
}

read_value() {
    mkdir -p "$workspace/read"
    record reader "$workspace/reader" "$workspace/read"
}

evaluate_reader() {
    local floor=${result[reader.floor_milliseconds]} own=${result[reader.milliseconds]}
    compare "a widget's start to its value" "$(calculate %.2f "$floor") ms" "$(calculate %.2f "$own") ms" "$own" 5 ms
    compare "  its own memory" "" "${result[reader.own_kilobytes]} kB" "${result[reader.own_kilobytes]}" 8192 kB
}
