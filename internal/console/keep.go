package console

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"usher"
	"usher/internal/rules"
	"usher/queues/audit"
	"usher/queues/decisions"
)

// keepRules keeps rules from a creative, or from the budget and bid of a campaign.
func (c *Console) keepRules(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Code     string `json:"code"`     // of the creative, or of the campaign
		Campaign string `json:"campaign"` // in which it is, if known: its account's days count
		Until    string `json:"until"`    // as for usher rules keep
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	if in.Code == "" {
		return nil, refuse(http.StatusUnprocessableEntity, "the code of a creative or campaign is missing")
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	return struct{}{}, c.settingsChanged(c.keep(ctx, in.Campaign, []string{in.Code}, in.Until, actOf(user, in.Reason)))
}

// keep keeps rules from creatives of a campaign, or from the campaign itself.
func (c *Console) keep(ctx context.Context, campaign string, codes []string, until string, act audit.Act) error {
	at, err := rules.ParseUntil(until, c.options.Now(), rules.ZoneOf(c.options.Rules.All(), campaign))
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	for _, code := range codes {
		if err := c.options.Settings.Set(ctx, usher.Setting{Kind: usher.RuleKeep, Name: code, Until: at}, act); err != nil {
			return err
		}
	}
	return nil
}

// releaseRules hands a creative, or the budget and bid of a campaign, back to rules.
func (c *Console) releaseRules(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Code string `json:"code"`
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	_, err = c.options.Approvals.Release(ctx, in.Code, actOf(user, in.Reason))
	if errors.Is(err, decisions.ErrNotKept) {
		err = refuse(http.StatusConflict, "rules may change %s already", in.Code)
	}
	return struct{}{}, c.settingsChanged(err)
}

// keptOf returns what people keep rules from in a campaign: itself, and its creatives.
func (c *Console) keptOf(ctx context.Context, campaign string, creatives []Creative) (map[string]usher.Setting, error) {
	all, err := c.options.Settings.List(ctx, usher.RuleKeep)
	kept := map[string]usher.Setting{}
	add := func(code string) {
		if s, ok := all[code]; ok {
			kept[code] = s
		}
	}
	add(campaign)
	for i := range creatives {
		add(creatives[i].Code)
	}
	return kept, err
}

// codesToKeep returns the creatives that an act on a campaign is about: those named, or all.
func (c *Console) codesToKeep(ctx context.Context, campaign string, named []string) ([]string, error) {
	if len(named) > 0 {
		return named, nil
	}
	creatives, err := c.options.Campaigns.Creatives(ctx, campaign)
	codes := make([]string, len(creatives))
	for i := range creatives {
		codes[i] = creatives[i].Code
	}
	return codes, err
}

// isResume reports whether a request is to resume something.
func isResume(req *http.Request) bool { return strings.HasSuffix(req.URL.Path, "/resume") }
