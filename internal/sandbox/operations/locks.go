package operations

import (
	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

func (s *State) lockCampaign(c *Call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	if err := s.checkOtherLock(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(s.locks.Put(in.CampaignCode, lock{c.User, c.Now.Add(s.config.LockTTL)}))
}

func (s *State) unlockCampaign(c *Call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	if err := s.checkOtherLock(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(s.locks.Drop(in.CampaignCode))
}

// checkOtherLock checks that no other login holds the campaign's lock.
func (s *State) checkOtherLock(c *Call, code string) error {
	held, found := s.locks.Get(code)
	if found && c.Now.Before(held.Until) && held.User != c.User {
		return envelope.Refused(envelope.CodeLockedByOther, "campaign %s is locked by another login", code)
	}
	return nil
}

// requireLock checks that the caller holds the campaign's lock.
func (s *State) requireLock(c *Call, code string) error {
	if err := s.checkOtherLock(c, code); err != nil {
		return err
	}
	if held, found := s.locks.Get(code); !found || !c.Now.Before(held.Until) {
		return envelope.Refused(envelope.CodeNotLocked, "campaign %s must be locked first: PUT /v3/campaigns/%s/lock", code, code)
	}
	return nil
}
