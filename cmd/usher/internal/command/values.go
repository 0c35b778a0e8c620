package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"usher"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	into    *string
	accepts []string
}

func (c choice) String() string {
	if c.into == nil {
		return ""
	}
	return *c.into
}

func (choice) Type() string { return "word" }

func (c choice) Set(word string) error {
	if err := CheckWord(word, c.accepts); err != nil {
		return err
	}
	*c.into = word
	return nil
}

// choices is the value of a flag that takes several of a few words: the flag is
// repeated, or the words are separated by commas.
type choices struct {
	into    *[]string
	accepts []string
}

func (c choices) String() string {
	if c.into == nil {
		return ""
	}
	return strings.Join(*c.into, ",")
}

func (choices) Type() string { return "words" }

func (c choices) Set(list string) error {
	for word := range strings.SplitSeq(list, ",") {
		if err := CheckWord(word, c.accepts); err != nil {
			return err
		}
		*c.into = append(*c.into, word)
	}
	return nil
}

// CheckWord returns an error that names the accepted words unless word is one of
// them.
func CheckWord(word string, accepts []string) error {
	if slices.Contains(accepts, word) {
		return nil
	}
	return fmt.Errorf("accepted are %s%s", strings.Join(accepts, ", "), DidYouMean(word, accepts))
}

// ChoiceVar adds a flag that takes one of the words in accepts. *into is its default.
func ChoiceVar(cmd *cobra.Command, into *string, name, about string, accepts ...string) {
	cmd.Flags().Var(choice{into, accepts}, name, about+": "+strings.Join(accepts, ", "))
	complete(cmd, name, accepts)
}

// ChoicesVar adds a flag that takes several of the words in accepts.
func ChoicesVar(cmd *cobra.Command, into *[]string, name, about string, accepts ...string) {
	cmd.Flags().Var(choices{into, accepts}, name, about+": "+strings.Join(accepts, ", "))
	complete(cmd, name, accepts)
}

// complete registers the words for the shell's completion.
func complete(cmd *cobra.Command, flag string, words []string) {
	// It fails only if the flag does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

// Classes returns the classes of dead letters.
func Classes() []string {
	var words []string
	for _, c := range usher.Classes() {
		words = append(words, string(c))
	}
	return words
}

// Kinds returns the kinds of jobs.
func Kinds() []string {
	var words []string
	for _, kind := range usher.Kinds() {
		words = append(words, string(kind))
	}
	return words
}

// limit is the value of the flag --limit.
type limit struct {
	into *int
	of   string
}

func (l limit) String() string {
	if l.into == nil {
		return "0"
	}
	return strconv.Itoa(*l.into)
}

func (limit) Type() string { return "number" }

func (l limit) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("--limit takes a number of %s, 0 for all", l.of)
	}
	*l.into = n
	return nil
}

// LimitVar adds the flag --limit, a number of rows; of is what they are, such as "jobs", and more
// ends its help.
func LimitVar(cmd *cobra.Command, into *int, of, more string) {
	cmd.Flags().Var(limit{into, of}, "limit", "maximum number of "+of+", 0 for all"+more)
}

// Percent is the value of a flag that takes 0 to 100.
type Percent struct{ Value *float64 } // nil: not set

// String implements pflag.Value.
func (p *Percent) String() string {
	if p.Value == nil {
		return ""
	}
	return strconv.FormatFloat(*p.Value, 'f', -1, 64)
}

// Type implements pflag.Value.
func (*Percent) Type() string { return "percent" }

// Set implements pflag.Value.
func (p *Percent) Set(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 100) { // not NaN either
		return errors.New("accepted is a number from 0 to 100")
	}
	p.Value = &value
	return nil
}

// Rate is the value of a flag that takes a rate, such as 5/s.
type Rate struct {
	PerSecond float64 // 0: not set
	Text      string
}

// String implements pflag.Value.
func (r *Rate) String() string { return r.Text }

// Type implements pflag.Value.
func (*Rate) Type() string { return "rate" }

// Set implements pflag.Value.
func (r *Rate) Set(text string) error {
	count, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(count, 64)
	per := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	if err != nil || per == 0 || !(n > 0 && n <= 1e6) {
		return errors.New("accepted is a number a second, minute or hour above 0, such as 5/s or 100/m")
	}
	r.Text, r.PerSecond = text, n/per.Seconds()
	return nil
}

// Limit returns the rate, infinite if the flag is not set.
func (r *Rate) Limit() rate.Limit {
	if r.PerSecond == 0 {
		return rate.Inf
	}
	return rate.Limit(r.PerSecond)
}

// Deadline is the value of a flag that takes a time, or a duration from now.
type Deadline struct {
	at    time.Time
	after time.Duration
	text  string
}

// String implements pflag.Value.
func (d *Deadline) String() string { return d.text }

// Type implements pflag.Value.
func (*Deadline) Type() string { return "time" }

// Set implements pflag.Value.
func (d *Deadline) Set(text string) error {
	d.text = text
	if after, err := time.ParseDuration(text); err == nil && after > 0 {
		d.after = after
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errors.New("accepted is a time as in RFC 3339, such as 2026-03-01T18:00:00Z, or a duration from now such as 2h")
	}
	d.at = at
	return nil
}

// At returns the deadline of a job that is published now. It is zero if the flag is
// not set.
func (d *Deadline) At(now time.Time) time.Time {
	if d.after > 0 {
		return now.Add(d.after).UTC().Truncate(time.Second)
	}
	return d.at
}

// Past is the value of a flag that takes a time, or a duration ago.
type Past struct {
	at   time.Time
	ago  time.Duration
	text string
}

// String implements pflag.Value.
func (p *Past) String() string { return p.text }

// Type implements pflag.Value.
func (*Past) Type() string { return "time" }

// Set implements pflag.Value.
func (p *Past) Set(text string) error {
	p.text = text
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		p.ago = ago
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errors.New("accepted is a time as in RFC 3339, such as 2026-03-01T18:00:00Z, or a duration ago such as 24h")
	}
	p.at = at
	return nil
}

// At returns the time, for a duration before now. It is zero if the flag is not set.
func (p *Past) At(now time.Time) time.Time {
	if p.text == "" || !p.at.IsZero() {
		return p.at
	}
	return now.Add(-p.ago)
}

// Profile is the value of a flag that takes a hash profile: idfa, or
// idfa/lower/no-hyphens.
type Profile struct{ Profile usher.Profile }

// String implements pflag.Value.
func (p *Profile) String() string {
	if p.Profile.Type == "" {
		return ""
	}
	return p.Profile.String()
}

// Type implements pflag.Value.
func (*Profile) Type() string { return "profile" }

// Set implements pflag.Value.
func (p *Profile) Set(text string) error {
	words := strings.Split(text, "/")
	if !slices.Contains(idTypes(), words[0]) {
		return fmt.Errorf("accepted are %s%s", profileForms(), DidYouMean(words[0], idTypes()))
	}
	profile := usher.Profile{Type: usher.IDType(words[0])}
	for _, word := range words[1:] {
		switch {
		case (word == string(usher.Upper) || word == string(usher.Lower)) && profile.Case == "":
			profile.Case = usher.Case(word)
		case (word == "hyphens" || word == "no-hyphens") && profile.Hyphens == nil:
			hyphens := word == "hyphens"
			profile.Hyphens = &hyphens
		default:
			return fmt.Errorf("after the id's type come upper or lower, and hyphens or no-hyphens, as in idfa/lower/no-hyphens%s",
				DidYouMean(word, []string{"upper", "lower", "hyphens", "no-hyphens"}))
		}
	}
	p.Profile = profile
	return nil
}

// idTypes returns the types of device ids.
func idTypes() []string {
	return []string{string(usher.IDFA), string(usher.AAID), string(usher.AndroidID)}
}

// profileForms returns what --profile accepts.
func profileForms() string {
	return strings.Join(idTypes(), ", ") + ", or type/case/hyphens as in idfa/lower/no-hyphens"
}

// ProfileVar adds the flag --profile.
func ProfileVar(cmd *cobra.Command, p *Profile, about string) {
	cmd.Flags().Var(p, "profile", about+": "+profileForms())
	complete(cmd, "profile", idTypes())
}

// skip is the value of the flag for the lines that are not rows.
type skip usher.Skip

func (s *skip) String() string { return usher.Skip(*s).String() }

// word returns the value of the flag, or "" if nothing is skipped.
func (s *skip) word() string {
	if *s == (skip{}) {
		return ""
	}
	return s.String()
}

func (*skip) Type() string { return "lines" }

func (s *skip) Set(word string) error {
	*s = skip{}
	if n, err := strconv.Atoi(word); err == nil {
		if n < 0 {
			return errors.New("accepted are a number of lines, 0 or more, and the text that the lines begin with")
		}
		s.Lines = n
		return nil
	}
	s.Prefix = word
	return nil
}

// delimiter is the value of the flag for a CSV's delimiter. It may be given by name or
// escaped, since it is often a character that a shell treats specially.
type delimiter string

func (d *delimiter) String() string { return string(*d) }

// word returns the delimiter as it can be typed.
func (d *delimiter) word() string {
	switch word := string(*d); {
	case word == "\t":
		return "tab"
	case len(word) == 1 && (word[0] < ' ' || word[0] == 0x7F):
		return fmt.Sprintf(`\u%04x`, word[0])
	default:
		return word
	}
}

func (*delimiter) Type() string { return "character" }

func (d *delimiter) Set(word string) error {
	named := map[string]string{"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "^A": "\x01", "auto": "auto"}
	character, ok := named[word]
	if !ok {
		character = word
		if strings.HasPrefix(word, `\`) && len(word) > 1 {
			if text, err := strconv.Unquote(`"` + word + `"`); err == nil {
				character = text
			}
		}
		if len(character) != 1 || strings.ContainsAny(character, "\"\r\n\x00") || character[0] > 0x7F {
			return fmt.Errorf(`accepted are auto, tab, \u0001, and any one ASCII character except a quote and a line end%s`,
				DidYouMean(word, []string{"tab", "comma", "semicolon", "pipe", "auto"}))
		}
	}
	*d = delimiter(character)
	return nil
}

// ExceptVar adds the flag --except. of begins its description.
func ExceptVar(cmd *cobra.Command, into *[]string, of string) {
	cmd.Flags().StringSliceVar(into, "except", nil, of+"a target whose members are not wanted, such as segment/5, repeatable")
}

// Holdout is the value of the flag --holdout, such as 10%:autumn.
type Holdout struct{ Value *usher.Holdout }

func (h *Holdout) String() string {
	if h.Value == nil {
		return ""
	}
	return strconv.FormatFloat(h.Value.Percent, 'f', -1, 64) + "%:" + h.Value.Key
}

// Type names the value in the help.
func (*Holdout) Type() string { return "percent:key" }

// Set reads a holdout.
func (h *Holdout) Set(text string) error {
	share, key, found := strings.Cut(text, ":")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
	if err != nil || !found || key == "" || !(percent > 0 && percent < 100) {
		return errors.New("give a percentage above 0 and below 100, a colon and a key, such as 10%:autumn")
	}
	h.Value = &usher.Holdout{Percent: percent, Key: key}
	return nil
}

// HoldoutVar adds the flag --holdout. of begins its description.
func HoldoutVar(cmd *cobra.Command, h *Holdout, of string) {
	cmd.Flags().Var(h, "holdout", of+"a share of the ids that is not wanted, and the key that chooses it, such as 10%:autumn: the same ids in every segment and run with that key")
}
