package import Documents
import Testing

/// Documents of the first app, in both versions, from its description.
package enum Budget {
    package static let v1 = """
        {
          "spent": 450.50,
          "limit": 800.00,
          "month": "Gennaio 2026",
          "currency": "€",
          "isDarkMode": false,
          "lastUpdated": "2026-01-18T14:30:00.000Z",
          "groupId": "123e4567-e89b-12d3-a456-426614174000",
          "groupName": "Famiglia Rossi"
        }

        """
    package static let v2 = """
        {
          "version": 2,
          "data": {
            "totalAmount": 450.50,
            "expenseCount": 0,
            "hasError": false,
            "spent": 450.50,
            "limit": 800.00,
            "month": "Gennaio 2026",
            "currency": "€",
            "isDarkMode": false,
            "lastUpdated": "2026-01-18T14:30:00.000Z",
            "groupId": "123e4567-e89b-12d3-a456-426614174000",
            "groupName": "Famiglia Rossi"
          }
        }

        """

    package static func rule() throws -> DocumentRule {
        try #require(Profile.builtIn("budget")).rule(for: "budget.json")
    }
}
