package api

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"
	"sync"

	"usher/internal/readable"
)

// exampleLines returns the examples of an operation. They run as printed, one after the
// other, with the sandbox, and with files that are named only by flags that take a file.
func (c *apiCall) exampleLines() []string {
	path := cmdPath(c.op)
	words := []string{path}
	for _, in := range c.pathInputs() {
		if in.required {
			words = append(words, c.exampleValue(in))
		}
	}
	call := strings.Join(words, " ")
	lines := preparations()[c.op.Name]
	var flags []string
	for _, in := range c.inputs {
		switch {
		case in.where == "path" || !in.required && !c.exampleFlag(in):
		case in.secret:
			flags = append(flags, "--"+in.flag+"-file", kebab(in.path[len(in.path)-1])+".txt")
		default:
			flags = append(flags, "--"+in.flag, readable.ShellWord(c.exampleValue(in)))
		}
	}
	whole := strings.Join(append([]string{call}, flags...), " ")
	if c.bodyField() == nil {
		return append(lines, whole)
	}
	file := strings.ReplaceAll(c.op.Name, ".", "-") + ".json"
	template, fromFile := path+" --body-template > "+file, call+" --body @"+file
	if c.op.Name == "campaigns.put" { // its creatives are too long for a flag
		return append(lines, template, fromFile,
			"usher api campaigns lock SANDBOX1-new",
			"usher api campaigns get SANDBOX1-new --json > campaign.json",
			call+" --body @campaign.json --bidding-settings.budget.daily 80")
	}
	return append(lines, whole, template, fromFile)
}

// exampleFlag reports whether the example of an operation needs an input that is not
// required in all cases.
func (c *apiCall) exampleFlag(in *apiInput) bool {
	switch c.op.Name + " " + in.flag {
	case "users.put password", "users.put reporting-currency", "metadata.cities countries", "segments.create duration-in-days":
		return true
	}
	return false
}

// preparations has the calls that must come before an operation in its example.
var preparations = sync.OnceValue(func() map[string][]string {
	const (
		lock      = "usher api campaigns lock SANDBOX1-spring"
		user      = "usher api users put anna --password-file password.txt"
		publisher = "usher api ssp put-publisher --publisher-id pub-1 --domain example.com --publisher-name 'Example News'"
		adslot    = "usher api ssp put-adslot pub-1 --adslot-id slot-1 --adslot-name 'Top banner' --width 300 --height 250 --position ATF --formats IMAGE,RICH --iab-category-ids 1,2"
		member    = "usher api segments add-user 1 IDFA f2d1311ca5c1ecb214c19a26e9ddbad0"
		users     = "usher api campaigns add-user-targets SANDBOX1-spring 1 --user-ids user-ids.txt"
		targets   = "usher api campaigns add-mobile-targets SANDBOX1-spring --mobile-ids digests.txt"
	)
	return map[string][]string{
		"campaigns.unlock":             {lock},
		"campaigns.set-status":         {lock},
		"creatives.set-status":         {lock},
		"users.get":                    {user},
		"users.delete":                 {user},
		"advertisers.link":             {user},
		"advertisers.unlink":           {user, "usher api advertisers link SANDBOX1 anna VIEW"},
		"advertisers.unblock":          {"usher api advertisers block SANDBOX1 example.com"},
		"ssp.publisher":                {publisher},
		"ssp.put-adslot":               {publisher},
		"ssp.adslot":                   {publisher, adslot},
		"campaigns.mobile-targets":     {targets},
		"campaigns.add-user-targets":   {member},
		"segments.remove-user":         {member},
		"campaigns.user-targets":       {member, users},
		"campaigns.clear-user-targets": {member, users},
	}
})

// exampleValue returns a value that works in the sandbox.
func (c *apiCall) exampleValue(in *apiInput) string {
	values, path := c.exampleValues(), strings.Join(in.path, ".")
	if value := values[path]; value != "" {
		return value
	}
	if value := values[in.path[len(in.path)-1]]; value != "" {
		return value
	}
	switch in.kind {
	case numberInput:
		return "10"
	case boolInput:
		return "true"
	case jsonInput:
		return "@" + in.flag + ".json"
	case textInput, fileInput:
	}
	return strings.ToUpper(kebab(in.path[len(in.path)-1]))
}

// exampleValues returns values that work in the sandbox, by field name or path.
func (c *apiCall) exampleValues() map[string]string {
	values := maps.Clone(exampleValues())
	area, _, _ := strings.Cut(c.op.Name, ".")
	switch {
	case area == "planning": // the later date comes first
		values["startDate"], values["endDate"] = values["endDate"], values["startDate"]
	case c.op.Name == "campaigns.put":
		values["campaignCode"], values["code"] = "SANDBOX1-new", "SANDBOX1-new"
		values["status"] = "PENDING"
		values["creatives.code"], values["creatives.status"], values["creatives.type"] = "new-1", "PENDING", "IMAGE"
	case area == "advertisers":
		values["name"], values["status"] = "Example Shop", "ACTIVE"
		values["domain"] = map[bool]string{true: "ads.example.com", false: "example.com"}[strings.HasSuffix(c.op.Name, "date") || strings.HasSuffix(c.op.Name, "create")]
	case area == "segments":
		values["name"], values["status"] = "iOS customers", "ACTIVE"
	}
	return values
}

var exampleValues = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"segmentId": "1", "segmentType": "IDFA", "userId": "f2d1311ca5c1ecb214c19a26e9ddbad0", "type": "IDFA",
		"durationInDays": "30", "intelliPixelPath": "/sport/*",
		"campaignCode": "SANDBOX1-spring", "creativeCode": "spring-1", "status": "INACTIVE",
		"creativeId": "asset-spring-1", "clickthroughUrl": "https://shop.example.com/new", "width": "300", "height": "250",
		"inventoryType": "TRANSPARENT", "placementType": "ATF", "publisherWhiteList": "news.example.com",
		"strategy": "CPMCappedBiddingStrategy", "maxBid": "2.5", "daily": "75.5", "pacingType": "ACCELERATED",
		"advertiserCode": "SANDBOX1", "startDate": "2014-03-10", "endDate": "2014-03-16", "currencyCode": "USD",
		"correspondenceEmailAddress": "billing@example.com", "mediaMargin": "15", "percentage": "10", "windowInHours": "72",
		"advertisingChargeCpm": "0.1", "contextualChargeCpm": "0", "brandSafetyChargeCpm": "0",
		"username": "anna", "reportingCurrency": "EUR", "realm": "VIEW", "domain": "example.com",
		"users": "digests.txt", "mobileIds": "digests.txt", "userIds": "user-ids.txt", "creative": "banner.png",
		"url": "https://example.com/banner.png", "device": "MOBILE", "countries": "LI", "categoryId": "1", "site": "imdb.com",
		"date": "2014-03-10", "zipCodeId": "10001", "dmaCodeId": "501", "publisherId": "pub-1", "publisherName": "Example News",
		"adslotId": "slot-1", "adslotName": "Top banner", "position": "ATF", "formats": "IMAGE", "iabCategoryIds": "1",
		"paymentAmount": "100", "paymentCurrency": "USD", "cardExpiryMonth": "12", "cardExpiryYear": "2035",
	}
})

// writeTemplate writes a complete example of a body, with the interface's words about each
// field as comments. --body takes it as it is. A field that a call may not send in every
// case is a comment itself.
func (c *apiCall) writeTemplate(w io.Writer) error {
	t := template{values: c.exampleValues()}
	_, verb, _ := strings.Cut(c.op.Name, ".")
	fmt.Fprintf(&t.text, "// The body of %s. Change it, and give it to --body:\n//   %s --body @FILE\n", c.op.Name, strings.Join(append([]string{cmdPath(c.op)}, c.usage()...), " "))
	if verb == "update" || c.op.Name == "campaigns.put" {
		t.text.WriteString("// It replaces what the platform has: begin with what get --json prints to change a part.\n")
	}
	t.object(c.bodyField().Type, "", "", true)
	t.text.WriteString("\n")
	if _, err := io.WriteString(w, t.text.String()); err != nil {
		return fmt.Errorf("print template: %w", err)
	}
	return nil
}

type template struct {
	text   strings.Builder
	values map[string]string
}

// object writes a record. required says that the fields without omitempty must be sent.
func (t *template) object(record reflect.Type, path, indent string, required bool) {
	t.text.WriteString("{\n")
	for field := range record.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		about := field.Tag.Get("help")
		if readOnly(about) {
			continue
		}
		needed := required && options == "" && field.Tag.Get("required") != "false" || isRequired(field)
		start := t.text.Len()
		fmt.Fprintf(&t.text, "%s  %q: ", indent, name)
		comment := t.value(field, join(path, name), indent+"  ", needed)
		t.text.WriteString(",")
		if words := commentWords(needed, about); words != "" {
			t.comment(start, words)
		}
		if comment {
			t.commentOut(start, indent)
		}
		t.text.WriteString("\n")
	}
	t.text.WriteString(indent + "}")
}

// commentWords returns the comment of a field.
func commentWords(needed bool, about string) string {
	about = withoutRequired(about)
	if !needed {
		return about
	}
	return strings.TrimSuffix("required; "+about, "; ")
}

// comment adds a comment to the first line of the field that begins at start.
func (t *template) comment(start int, words string) {
	written := t.text.String()
	line, rest, more := strings.Cut(written[start:], "\n")
	text := written[:start] + line + " // " + words
	if more {
		text += "\n" + rest
	}
	t.text.Reset()
	t.text.WriteString(text)
}

// commentOut turns the field that begins at start into a comment.
func (t *template) commentOut(start int, indent string) {
	written := t.text.String()
	lines := strings.Split(written[start:], "\n")
	for i, line := range lines {
		lines[i] = indent + "  // " + strings.TrimPrefix(line, indent+"  ")
	}
	t.text.Reset()
	t.text.WriteString(written[:start] + strings.Join(lines, "\n"))
}

// value writes an example of a field's value. It reports whether the field must not be
// sent as it is: a secret, and an object whose contents are unknown.
func (t *template) value(field reflect.StructField, path, indent string, required bool) (comment bool) {
	kind := field.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if _, secret := field.Tag.Lookup("secret"); secret {
		t.text.WriteString(`"…"`)
		return true
	}
	if kind == reflect.TypeFor[json.RawMessage]() {
		text := map[string]string{
			"targetingSettings":    `{"contextualSettings": {"iabCategories": [1]}, "deviceTargetingSettings": {"devices": ["MOBILE"]}}`,
			"optimisationSettings": `{"optimisationStrategy": "ROUND_ROBIN", "commenceOptimisationAfter": 1000}`,
		}[path]
		if text == "" {
			t.text.WriteString("{}")
			return true
		}
		t.text.WriteString(text)
		return false
	}
	switch {
	case kind.Kind() == reflect.Struct:
		t.object(kind, path, indent, required)
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Struct:
		t.text.WriteString("[")
		t.object(kind.Elem(), path, indent, true)
		t.text.WriteString("]")
	case kind.Kind() == reflect.Slice:
		t.text.WriteString("[" + t.scalar(path, kind.Elem()) + "]")
	default:
		t.text.WriteString(t.scalar(path, kind))
	}
	return false
}

// scalar returns an example of a text or a number.
func (t *template) scalar(path string, kind reflect.Type) string {
	value := t.values[path]
	if value == "" {
		value = t.values[path[strings.LastIndexByte(path, '.')+1:]]
	}
	if kind.Kind() != reflect.String {
		if value == "" {
			value = "10"
		}
		return value
	}
	if value == "" {
		value = strings.ToUpper(kebab(path))
	}
	data, err := json.Marshal(value)
	if err != nil {
		return `""`
	}
	return string(data)
}
