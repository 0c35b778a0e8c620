package api

import (
	"maps"
	"strings"
	"sync"
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
			flags = append(flags, "--"+in.flag, quoteWord(c.exampleValue(in)))
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

// quoteWord quotes a word for the shell if it needs quotes.
func quoteWord(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@,=") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
