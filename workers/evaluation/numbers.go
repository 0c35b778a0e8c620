package evaluation

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/workers"
)

// decideNumbers decides on a field of the biddingSettings of the campaigns in scope.
func (e *evaluation) decideNumbers(ctx context.Context, field usher.BiddingField, s rules.Snapshot) (*rules.Run, error) {
	s.Memory = func(campaign string) usher.CreativeMemory {
		return usher.NewCreativeMemory(e.memory[campaign][field.MemoryKey()], e.set.Zone)
	}
	s.Disabled = func(field usher.BiddingField) bool { return !slices.Contains(e.handler.Actions, field) }
	var err error
	if s.Sizes, err = e.numberSizes(ctx, field); err != nil {
		return nil, err
	}
	run, read, err := DecideNumbers(ctx, e.platform, e.set, field, e.campaigns, s)
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", e.set.Name, err)
	}
	for _, n := range read {
		e.numbers[numberKey{field, n.Campaign}] = n
	}
	return run, nil
}

// DecideNumbers decides on a field of the biddingSettings of campaigns by the rules of a
// set. It reads only the definitions of campaigns whose number a rule that is due wants to
// change, and returns these numbers, too. s has everything but the numbers.
func DecideNumbers(ctx context.Context, platform *rtb.Client, set *rules.Set, field usher.BiddingField, campaigns []string, s rules.Snapshot) (*rules.Run, []rules.Number, error) {
	s.Numbers = nil
	for _, campaign := range campaigns {
		s.Numbers = append(s.Numbers, rules.Number{Campaign: campaign, Unread: true})
	}
	decide := func() (*rules.Run, error) {
		ctx, cancel := context.WithTimeout(ctx, decideTime)
		defer cancel()
		return set.DecideNumbers(ctx, field, s)
	}
	run, err := decide()
	if err != nil {
		return nil, nil, err
	}
	wanted := run.Wanted()
	if len(wanted) == 0 {
		return run, nil, nil
	}
	read, err := ReadNumbers(ctx, platform, field, wanted)
	if err != nil {
		return nil, nil, err
	}
	s.Numbers = slices.DeleteFunc(s.Numbers, func(n rules.Number) bool { return slices.Contains(wanted, n.Campaign) })
	s.Numbers = append(s.Numbers, read...)
	run, err = decide()
	return run, read, err
}

// numberKey identifies a number that was read.
type numberKey struct {
	field    usher.BiddingField
	campaign string
}

// ReadNumbers reads a number of the biddingSettings of campaigns, by a call for each of
// them. A campaign that no longer exists has none.
func ReadNumbers(ctx context.Context, platform *rtb.Client, field usher.BiddingField, campaigns []string) ([]rules.Number, error) {
	var mu sync.Mutex
	var numbers []rules.Number
	err := eachCampaign(ctx, campaigns, func(ctx context.Context, campaign string) error {
		d, err := platform.CampaignDefinition(ctx, campaign)
		if err != nil && !workers.IsNotFound(err) {
			return fmt.Errorf("read the %s of campaign %s: %w", field, campaign, err)
		}
		mu.Lock()
		defer mu.Unlock()
		numbers = append(numbers, rules.Number{Campaign: campaign, Value: d.Number(field), Currency: d.Currency()})
		return nil
	})
	return numbers, err
}
