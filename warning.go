package usher

import (
	"regexp"
	"slices"
)

// Warning is a message of the platform or usher that did not end the job.
type Warning struct {
	Code        WarningCode `json:"code"` // those of the platform are its own
	Description string      `json:"description"`
	Count       int64       `json:"count"`
}

// WarningCode says what a warning is about.
type WarningCode string

// The codes of usher's warnings: of exports, of jobs, of changes of campaigns, and of runs of rules.
const (
	WarnTypeColumn       WarningCode = "type_column"       // a column of systems or types has rows of another type than the profile's
	WarnLetterCase       WarningCode = "letter_case"       // ids have the letter case of another type
	WarnLooksHashed      WarningCode = "looks_hashed"      // under input raw, the values look like digests
	WarnLooksRaw         WarningCode = "looks_raw"         // under input md5, the values look like ids
	WarnUnlikelyIDs      WarningCode = "unlikely_ids"      // values only have the form of an ANDROID_ID, and are hashed all the same
	WarnOtherKind        WarningCode = "other_kind"        // nearly all values are ids of another kind than the job's, and count as invalid
	WarnVersion          WarningCode = "version"           // UUIDs are not of version 4, as advertising ids are
	WarnWrappedIDs       WarningCode = "wrapped_ids"       // values have the same text around an id, and are not read
	WarnSpreadsheet      WarningCode = "spreadsheet"       // values were changed by a spreadsheet, and are junk
	WarnSaysNo           WarningCode = "says_no"           // a column says no of rows, which a job takes out of something all the same; or the name of an export does, which is read all the same
	WarnUnanswered       WarningCode = "unanswered"        // rows say neither yes nor no in a column of consents or opt-outs, and are uploaded
	WarnConsentString    WarningCode = "consent_string"    // a column has consent strings, which usher does not decode
	WarnDisregard        WarningCode = "disregard"         // source.disregard names what the export does not have
	WarnCommentedOut     WarningCode = "commented_out"     // rows begin with a mark, as if they were commented out, and are read
	WarnOtherSheets      WarningCode = "other_sheets"      // sheets that are not read have ids as well
	WarnHiddenRows       WarningCode = "hidden_rows"       // rows of a sheet are hidden, and are read
	WarnJoinedIDs        WarningCode = "joined_ids"        // rows have as many digits as two ids
	WarnWordsBesideIDs   WarningCode = "words_beside_ids"  // lines of a list have other words beside an id, which is not read
	WarnProportion       WarningCode = "proportion"        // a reason for which rows were not uploaded has at least ProportionPercent of them
	WarnChanged          WarningCode = "changed"           // the export differs from the last good one, which acceptChange allows
	WarnNewMemory        WarningCode = "new_memory"        // the job reads its export by other fields than the last one, so that it was not compared
	WarnNoLedger         WarningCode = "no_ledger"         // the target had no ledger, so that a mirror could remove nothing
	WarnLedgerBroken     WarningCode = "ledger_broken"     // a ledger cannot be read, so that something was left out
	WarnNotAtomic        WarningCode = "not_atomic"        // the list was cleared before it was filled again
	WarnNotRemoved       WarningCode = "not_removed"       // the platform refused to remove ids, which stay members
	WarnNotWithheld      WarningCode = "not_withheld"      // the mirror before left somebody out, by except or a holdout, and this one does not
	WarnSuperseded       WarningCode = "superseded"        // a newer job has acted on the target, so that this one did not
	WarnPending          WarningCode = "pending"           // something waits: a creative for approval, or a target until the ids are taken out of it
	WarnStopped          WarningCode = "stopped"           // the stop switch held changes back
	WarnKept             WarningCode = "kept"              // somebody keeps it as it is
	WarnKeepActive       WarningCode = "keep_active"       // other creatives were paused after the decision, so that too few would stay ACTIVE
	WarnDisabled         WarningCode = "disabled"          // the configuration of the worker does not allow the change
	WarnRuleChanged      WarningCode = "rule_changed"      // the rule file was changed after the decision
	WarnChangedMeanwhile WarningCode = "changed_meanwhile" // somebody, or a rule, changed it after it was read, or the platform no longer shows it
	WarnChangedOtherwise WarningCode = "changed_otherwise" // the campaign differs from before in more than was changed
	WarnOvertaken        WarningCode = "overtaken"         // an older job set a creative after this one, which was restored
	WarnTooOld           WarningCode = "too_old"           // an event, or a time of a schedule, was too old to decide by
	WarnOutOfScope       WarningCode = "out_of_scope"      // an event's campaign is in the scope of no rule
	WarnUnknownMetric    WarningCode = "unknown_metric"    // an event has a metric that the platform's report has not
	WarnNoCode           WarningCode = "no_code"           // rows of the platform's report have no code of a campaign or creative, and are left out
	WarnRefused          WarningCode = "refused"           // an event cannot be decided by, such as one of the future
	WarnNotChecked       WarningCode = "not_checked"       // on what the rules are blind is not known
	WarnNoLonger         WarningCode = "no_longer"         // at an approval: the rules no longer want it
	WarnUnknown          WarningCode = "unknown"           // at an approval: the rules cannot decide it, and it stays held
	WarnMore             WarningCode = "more"              // further warnings, which are not kept one by one
)

// sampledCount is how the description of a warning says that its count is that of samples.
var sampledCount = regexp.MustCompile(`\b\d+ of \d+ sampled `)

// OfAllRows returns the description of the warning that counts all rows, and not only sampled ones:
// "b.csv: rows with an id are of another type" for "b.csv: 3 of 200 sampled rows with an id are of another type".
func (w *Warning) OfAllRows() string {
	if at := sampledCount.FindStringIndex(w.Description); at != nil {
		return w.Description[:at[0]] + w.Description[at[1]:]
	}
	return w.Description
}

// countsSamplesOf reports whether a warning is the same as another one, but counts sampled rows
// only.
func (w *Warning) countsSamplesOf(all *Warning) bool {
	return w.Code == all.Code && len(w.Description) > len(all.Description) && w.OfAllRows() == all.Description
}

// AddWarnings merges more into list by code and description. A warning that counts all rows
// replaces those that count sampled rows. AddWarnings keeps at most 100 different warnings and
// counts the others under the code "more".
func AddWarnings(list []Warning, more ...Warning) []Warning {
next:
	for _, w := range more {
		if w.Count == 0 {
			w.Count = 1
		}
		if slices.ContainsFunc(list, func(old Warning) bool { return w.countsSamplesOf(&old) }) {
			continue
		}
		list = slices.DeleteFunc(list, func(old Warning) bool { return old.countsSamplesOf(&w) })
		if len(list) >= 100 {
			w.Code, w.Description = WarnMore, "further warnings, not kept one by one"
		}
		for i := range list {
			if list[i].Code == w.Code && list[i].Description == w.Description {
				list[i].Count += w.Count
				continue next
			}
		}
		list = append(list, w)
	}
	return list
}
