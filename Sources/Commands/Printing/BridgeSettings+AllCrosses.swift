import BridgeRuntime

extension BridgeSettings {
    /// What a bridge without a profile does.
    static let allCrosses =
        "every *.json file of each container is copied to the other one, private ones included; "
        + "`exclude` leaves files out"
}
