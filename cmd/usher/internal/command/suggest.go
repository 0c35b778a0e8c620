package command

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// DidYouMean returns "; did you mean …?" with the nearest of choices, or "" if none
// is near.
func DidYouMean(word string, choices []string) string {
	// Three edits change a short word beyond recognition.
	if near := Nearest(word, choices, min(3, len(word)/2)); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Nearest returns the choice with the smallest edit distance to word, if that is
// at most edits, and "" otherwise. Case is ignored. A choice that begins with word
// counts as one edit away.
func Nearest(word string, choices []string, edits int) string {
	word = strings.ToLower(word)
	nearest, least := "", edits+1
	for _, choice := range choices {
		lower := strings.ToLower(choice)
		distance := max(1, levenshtein.ComputeDistance(word, lower))
		if strings.HasPrefix(lower, word) {
			distance = 1
		}
		if distance < least {
			nearest, least = choice, distance
		}
	}
	return nearest
}
