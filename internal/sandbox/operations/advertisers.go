package operations

import (
	"fmt"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

func (s *State) createAdvertiser(c *Call, in rtb.NewAdvertiser) (rtb.AdvertiserCode, error) {
	model := in.Advertiser
	if model.Code != "" {
		return rtb.AdvertiserCode{}, envelope.Invalid("code", "is generated and must not be sent")
	}
	if err := checkAdvertiser(&model); err != nil {
		return rtb.AdvertiserCode{}, err
	}
	number, counted := s.next("advertiser")
	for s.advertisers.Has(fmt.Sprintf("ADV%d", number)) {
		number++
		counted = s.counters.Put("advertiser", number)
	}
	model.Code = fmt.Sprintf("ADV%d", number)
	maker := s.users.Row(c.User).withLink(model.Code, rtb.RealmAdmin)
	return rtb.AdvertiserCode{Code: model.Code}, s.store.Commit(counted,
		s.advertisers.Put(model.Code, advertiser{Model: withDefaults(model), Parent: c.Advertiser}), s.users.Put(c.User, maker))
}

// findAdvertiser returns an advertiser, or an error if it does not exist or the caller has no
// access to it.
func (s *State) findAdvertiser(c *Call, code string) (advertiser, error) {
	row, found := s.advertisers.Get(code)
	if !found {
		return advertiser{}, envelope.Unknown("advertiser", code)
	}
	return row, s.authorize(c, code)
}

func (s *State) listAdvertisers(c *Call, _ rtb.Nothing) (rtb.AdvertisersAnswer, error) {
	return rtb.AdvertisersAnswer{Advertisers: s.reachable(c.User)}, nil
}

func (s *State) getAdvertiser(c *Call, in rtb.AdvertiserPath) (rtb.AdvertiserAnswer, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.AdvertiserAnswer{}, err
	}
	m := row.Model
	return rtb.AdvertiserAnswer{Advertiser: rtb.Advertiser{
		Code: m.Code, Name: m.Name, Status: m.Status, CurrencyCode: m.CurrencyCode,
		Margins: m.Margins, AttributionSettings: m.AttributionSettings,
	}}, nil
}

func (s *State) updateAdvertiser(c *Call, in rtb.AdvertiserUpdate) (rtb.Nothing, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	model := in.Advertiser
	if model.Code != "" && model.Code != in.AdvertiserCode {
		return rtb.Nothing{}, envelope.Invalid("code", "must be the code in the path, because it cannot change")
	}
	if err := checkAdvertiser(&model); err != nil {
		return rtb.Nothing{}, err
	}
	model.Code = in.AdvertiserCode
	row.Model = withDefaults(model)
	return rtb.Nothing{}, s.store.Commit(s.advertisers.Put(in.AdvertiserCode, row))
}

func (s *State) deleteAdvertiser(c *Call, in rtb.AdvertiserPath) (rtb.Nothing, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	row.Model.Status = rtb.Inactive
	return rtb.Nothing{}, s.store.Commit(s.advertisers.Put(in.AdvertiserCode, row))
}
