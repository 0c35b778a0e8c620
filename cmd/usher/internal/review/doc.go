// Package review decides again, by the platform's reports as they are now: whether what waits for
// approval is still wanted, which rule would take back what a person does, and what pauses have saved.
//
//	review.go    Reviewer: the rules and the login that it uses
//	approval.go  decisions that wait for approval, and the spend at stake
//	preview.go   what rules would do now
//	reversal.go  what rules would do about creatives that a person resumes
//	saved.go     what the pauses that rules have made have saved
package review
