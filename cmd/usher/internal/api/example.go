package api

import (
	"strings"
	"sync"
)

// exampleValue returns a value that works in the sandbox, or a placeholder.
func (in *apiInput) exampleValue() string {
	name := in.path[len(in.path)-1]
	if value := exampleValues()[name]; value != "" {
		return value
	}
	switch in.kind {
	case numberInput:
		return "10"
	case boolInput:
		return "true"
	case jsonInput:
		return "@" + kebab(name) + ".json"
	case textInput, fileInput:
	}
	return strings.ToUpper(kebab(name))
}

// exampleValues has values that work in the sandbox, by field name.
var exampleValues = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"segmentId": "1", "segmentType": "IDFA", "userId": "f2d1311ca5c1ecb214c19a26e9ddbad0", "type": "IDFA",
		"campaignCode": "SANDBOX1-spring", "creativeCode": "spring-1", "status": "INACTIVE",
		"advertiserCode": "SANDBOX1", "startDate": "2014-03-10", "endDate": "2014-03-16", "currencyCode": "USD",
		"username": "anna", "realm": "VIEW", "domain": "example.com", "users": "digests.txt", "mobileIds": "digests.txt",
		"userIds": "user-ids.txt", "creative": "banner.png", "url": "https://example.com/banner.png",
		"device": "MOBILE", "categoryId": "1", "site": "example.com", "date": "2014-03-10", "zipCodeId": "10001",
		"dmaCodeId": "501", "publisherId": "pub-1", "adslotId": "slot-1", "paymentAmount": "100", "paymentCurrency": "USD",
		"cardholderName": "'A N Other'", "cardExpiryMonth": "12", "cardExpiryYear": "2030", "creatives": "@creatives.json",
	}
})
