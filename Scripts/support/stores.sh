# Part of Scripts/bench: documents in the apps' own stores. The floor is Python with its own library, as there is no C
# library for three of the four formats.

stores=(/usr/bin/python3 "$repository/Scripts/support/stores.py")
# A case, its bound and the bound's unit, and the name of its row.
store_cases=(
    'ios-budget-5|2|x floor|property lists'
    'ios-budget-2000|5|ms|  with 2,000 keys'
    'android-budget-5|2|x floor|Android preferences'
    'android-budget-2000|5|ms|  with 2,000 keys'
    'ios-balances-5|2|x floor|AsyncStorage to a list'
    'ios-balances-1000|20|ms|  with a manifest of 1 MB'
    'ios-habits-200|2|x floor|TinyBase in SQLite'
    'ios-habits-1000000|30|ms|  with a row of 1 MB'
)

# change CASE: changes of one document from store to store.
change() {
    local platform app pids=() who
    IFS=- read -r platform app _ <<<"$1"
    fresh floor agent
    for who in floor agent; do "${stores[@]}" fill "$1" "$workspace/$who/a" "$workspace/$who/b"; done
    launch floor "${stores[@]}" floor "$1" "$workspace/floor/a" "$workspace/floor/b" && pids+=("$launched")
    agent agent --durability none --profile "$app" --stores "$platform" && pids+=("$launched")
    record "$1" "${stores[@]}" latency "$1" "$((rounds * 5))" 20 \
        "$workspace/floor/a" "$workspace/floor/b" "$workspace/agent/a" "$workspace/agent/b"
    for pid in "${pids[@]}"; do stop "$pid"; done
}

change_stores() {
    local row
    for row in "${store_cases[@]}"; do change "${row%%|*}"; done
}

evaluate_stores() {
    local row case bound unit name floor own value
    for row in "${store_cases[@]}"; do
        IFS='|' read -r case bound unit name <<<"$row"
        floor=${result[$case.0.p50]} own=${result[$case.1.p50]} value=$own
        [[ $unit == ms ]] || value=$(calculate %.2f "$own / $floor")
        compare "$name" "$floor ms" "$own ms" "$value" "$bound" "$unit"
    done
}
