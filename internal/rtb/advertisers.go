package rtb

import "context"

// Advertiser is an advertiser as the platform returns it: without its domain and
// its e-mail address.
type Advertiser struct {
	Code                string               `json:"code"`
	Name                string               `json:"name"`
	Status              string               `json:"status"`       // ACTIVE, INACTIVE
	CurrencyCode        string               `json:"currencyCode"` // the account's base currency
	Margins             Margins              `json:"margins"`
	AttributionSettings *AttributionSettings `json:"attributionSettings,omitempty"`
}

// AdvertiserModel is an advertiser to be created, or to replace another one.
type AdvertiserModel struct {
	Code                       string               `json:"code,omitempty"` // generated; not sent
	Name                       string               `json:"name"`
	Status                     string               `json:"status,omitempty"`           // ACTIVE (default), INACTIVE
	Domain                     string               `json:"domain"`                     // such as example.com
	CurrencyCode               string               `json:"currencyCode,omitempty"`     // default USD
	CorrespondenceEmailAddress string               `json:"correspondenceEmailAddress"` // for receipts of card payments
	Margins                    Margins              `json:"margins"`
	AttributionSettings        *AttributionSettings `json:"attributionSettings,omitempty"`
}

// Margins are the charges of an advertiser besides the media. A CPM is a charge per
// 1,000 impressions.
type Margins struct {
	MediaMargin          *float64 `json:"mediaMargin"`                    // required
	AdvertisingChargeCPM *float64 `json:"advertisingChargeCpm,omitempty"` // for ad serving; default 0
	ContextualChargeCPM  *float64 `json:"contextualChargeCpm,omitempty"`  // default 0
	BrandSafetyChargeCPM *float64 `json:"brandSafetyChargeCpm,omitempty"` // default 0
}

// AttributionSettings define which actions of users are attributed to an ad.
type AttributionSettings struct {
	PostClick      *Attribution `json:"postClick,omitempty"`      // default 720 hours, 10 percent
	PostEngagement *Attribution `json:"postEngagement,omitempty"` // default 72 hours, 10 percent
	PostView       *Attribution `json:"postView,omitempty"`       // default 72 hours, 10 percent
}

// Attribution is the time after an event in which actions of the user are attributed
// to it, and the attributed share.
type Attribution struct {
	WindowInHours *float64 `json:"windowInHours"` // hours after the event
	Percentage    *float64 `json:"percentage"`    // 0 to 100
}

// AdvertiserPath identifies an advertiser.
type AdvertiserPath struct {
	AdvertiserCode string `path:"advertiserCode"` // an advertiser's code, such as SANDBOX1
}

// NewAdvertiser is an advertiser to be created.
type NewAdvertiser struct {
	Advertiser AdvertiserModel `body:"json"`
}

// AdvertiserUpdate replaces an advertiser.
type AdvertiserUpdate struct {
	AdvertiserCode string          `path:"advertiserCode"` // an advertiser's code, such as SANDBOX1
	Advertiser     AdvertiserModel `body:"json"`
}

// AdvertiserCode is the code of a new advertiser.
type AdvertiserCode struct {
	Code string `json:"code"`
}

// AdvertisersAnswer has the codes of advertisers.
type AdvertisersAnswer struct {
	Advertisers []string `json:"advertisers"`
}

// AdvertiserAnswer has an advertiser.
type AdvertiserAnswer struct {
	Advertiser Advertiser `json:"advertiser"`
}

// The operations on advertisers.
var (
	AdvertisersCreate = post[NewAdvertiser, AdvertiserCode]("advertisers.create", "/v3/advertisers", "Create an advertiser and link it to the caller", 400)
	AdvertisersList   = get[Nothing, AdvertisersAnswer]("advertisers.list", "/v3/advertisers", "List the caller's advertisers' codes")
	AdvertisersGet    = get[AdvertiserPath, AdvertiserAnswer]("advertisers.get", "/v3/advertisers/{advertiserCode}", "Read an advertiser", 404)
	AdvertisersUpdate = put[AdvertiserUpdate, Nothing]("advertisers.update", "/v3/advertisers/{advertiserCode}", "Replace an advertiser", 400, 404)
	AdvertisersDelete = remove[AdvertiserPath, Nothing]("advertisers.delete", "/v3/advertisers/{advertiserCode}", "Deactivate an advertiser", 404)
)

func advertiserOperations() []Operation {
	return []Operation{
		AdvertisersCreate.Operation, AdvertisersList.Operation, AdvertisersGet.Operation,
		AdvertisersUpdate.Operation, AdvertisersDelete.Operation,
	}
}

// AdvertisersService manages advertisers, their links to users and their
// blocklists.
type AdvertisersService service

// Create creates an advertiser, links it to the caller and returns its code.
//
// POST /v3/advertisers
func (s *AdvertisersService) Create(ctx context.Context, a AdvertiserModel) (string, error) {
	answer, _, err := AdvertisersCreate.Do(ctx, s.client, NewAdvertiser{a})
	return answer.Code, err
}

// List lists the codes of the advertisers that the caller is linked to.
//
// GET /v3/advertisers
func (s *AdvertisersService) List(ctx context.Context) ([]string, error) {
	answer, _, err := AdvertisersList.Do(ctx, s.client, Nothing{})
	return answer.Advertisers, err
}

// Get reads an advertiser. An unknown advertiser is not_found.
//
// GET /v3/advertisers/{advertiserCode}
func (s *AdvertisersService) Get(ctx context.Context, code string) (Advertiser, error) {
	answer, _, err := AdvertisersGet.Do(ctx, s.client, AdvertiserPath{code})
	return answer.Advertiser, err
}

// Update replaces an advertiser. Its domain and e-mail address must be given, and a
// read does not return them.
//
// PUT /v3/advertisers/{advertiserCode}
func (s *AdvertisersService) Update(ctx context.Context, code string, a AdvertiserModel) error {
	_, _, err := AdvertisersUpdate.Do(ctx, s.client, AdvertiserUpdate{code, a})
	return err
}

// Delete deactivates an advertiser. An unknown advertiser is not_found.
//
// DELETE /v3/advertisers/{advertiserCode}
func (s *AdvertisersService) Delete(ctx context.Context, code string) error {
	_, _, err := AdvertisersDelete.Do(ctx, s.client, AdvertiserPath{code})
	return err
}
