package schema

// PatternRule is for tests.
var PatternRule = patternRule
