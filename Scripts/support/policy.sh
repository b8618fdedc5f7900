# Part of Scripts/bench: the reload policy.

# compile_policy DIRECTORY OPTION...: compiles it and what it needs, as modules, and the program that measures it. That is
# all of it but what reads profiles or computes digests, for which packages are needed.
compile_policy() {
    local directory=$1 options=(-parse-as-library -suppress-warnings -package-name widgetbridge -I "$1" "${@:2}")
    options+=(-enable-upcoming-feature InternalImportsByDefault)
    local documents model reloads
    mapfile -t documents < <(documents_core)
    mapfile -t model < <(grep -L 'import Crypto' "$repository"/Sources/Model/*.swift)
    mapfile -t reloads < <(grep -L 'Digest(of' "$repository"/Sources/Reloads/*.swift)
    compile_module Documents "${documents[@]}" && compile_module Model "${model[@]}" &&
        compile_module Reloads "${reloads[@]}" &&
        swiftc "${options[@]}" -module-name PolicyBenchmark -o "$directory/policy" \
            "$directory"/{Documents,Model,Reloads}.o "$repository/Scripts/support/PolicyBenchmark.swift"
}
# With the variables of compile_policy.
compile_module() {
    swiftc "${options[@]}" -wmo -module-name "$1" -emit-module -emit-module-path "$directory/$1.swiftmodule" \
        -c -o "$directory/$1.o" "${@:2}"
}

evaluate_policy() {
    local waits=${result[policy.waits_nanoseconds]} granted=${result[policy.granted_nanoseconds]}
    local day=${result[policy.simulated_milliseconds]} year=${result[policy.year_milliseconds]}
    compare "policy, a change that waits" "" "$waits ns" "$waits" 5000 ns
    compare "  one that is granted" "" "$granted ns" "$granted" 5000 ns
    compare "  1,000,000 on a simulated day" "" "$day ms" "$day" 1000 ms
    compare "  a year of an app of 10 kinds" "" "$year ms" "$year" 1000 ms
}
