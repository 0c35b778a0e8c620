package rules_test

import "testing"

// TestMixedOperators checks conditions that mix && and ||.
func TestMixedOperators(t *testing.T) {
	const message = " warning: pause_when: && and || are mixed without parentheses, and && is read first | write "
	condition := func(to string, want ...string) mistake {
		return mistake{"grossMediaSpend >= 1.05 * budget", to, want}
	}
	testMistakes(t, map[string]mistake{
		"or, then and":     condition("grossMediaSpend >= 90 || clicks > 500 && won > 900", "7:55:"+message+"grossMediaSpend >= 90 || (clicks > 500 && won > 900), as it is read"),
		"and, then or":     condition("clicks > 500 && won > 900 || grossMediaSpend >= 90", "7:43:"+message+"(clicks > 500 && won > 900) || grossMediaSpend >= 90"),
		"parentheses":      condition("(clicks > 500 && won > 900) || grossMediaSpend >= 90"),
		"other parens":     condition("clicks > 500 && (won > 900 || grossMediaSpend >= 90)"),
		"within parens":    condition("clicks > 500 && (won > 900 || grossMediaSpend >= 90 && won < 7000)", "7:69:"+message+"won > 900 || (grossMediaSpend >= 90 && won < 7000), as"),
		"only and":         condition("clicks > 500 && won > 900 && grossMediaSpend >= 90"),
		"only or":          condition("clicks > 500 || won > 900 || grossMediaSpend >= 90"),
		"a choice":         condition("'won > 900 || clicks > 500 ? clicks > 90 && won > 7 : won > 3000'"),
		"a quoted window":  condition(`won > 900 && (clicks > 500 || over("last 14 days").won > 70)`),
		"several lines":    condition("|\n      clicks > 500 &&\n      won > 900 ||\n      grossMediaSpend >= 90", "9:17:"+message+"(clicks > 500 && won > 900) || grossMediaSpend >= 90"),
		"two of each":      condition("clicks > 500 && won > 900 || grossMediaSpend >= 90 && won > 70", "7:43:"+message+"(clicks > 500 && won > 900) || (grossMediaSpend >= 90 && won > 70)"),
		"arithmetic first": condition("(clicks + won) * 2 > 500 || won > 900 && clicks > 3", "7:55:"+message+"(clicks + won) * 2 > 500 || (won > 900 && clicks > 3)"),
	})
}
