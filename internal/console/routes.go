package console

import "net/http"

// handler answers a request of a user who may make it.
type handler func(w http.ResponseWriter, req *http.Request, user User) error

// route is one operation of the API.
type route struct {
	method, path string
	role         Role // the least that is needed
	about        string
	handle       handler
}

// routes are the whole API: the mux is made of this table, and so is the test
// that holds every one of them to its role, its session and its token.
func routes(c *Console) []route {
	return []route{
		{"GET", "/api/session", Anyone, "who is logged in, and which ways there are to", answering(c.session)},
		{"POST", "/api/login", Anyone, "log in by name and password", c.loginPassword},
		{"POST", "/api/login/link", Anyone, "log in by the one-time link", c.loginLink},
		{"POST", "/api/login/proxy", Anyone, "log in by a trusted proxy's word", c.loginProxy},
		{"POST", "/api/logout", Viewer, "end the session", c.logout},

		{"GET", "/api/live", Viewer, "what changes, as server-sent events", c.serveLive},
		{"GET", "/api/overview", Viewer, "how the whole is doing", answering(c.overview)},

		{"GET", "/api/jobs", Viewer, "jobs: state, kind, text, from, limit", answering(c.jobs)},
		{"GET", "/api/jobs/{id}", Viewer, "all of a job", answering(c.job)},
		{"POST", "/api/jobs/{id}/cancel", Operator, "end a job", answering(c.cancelJob)},

		{"GET", "/api/letters", Viewer, "dead letters: id, kind, class, group, match, since, until, after, limit", answering(c.letters)},
		{"GET", "/api/letters/groups", Viewer, "dead letters by cause, the same filters", answering(c.groups)},
		{"GET", "/api/letters/plan", Viewer, "what a replay would do, the same filters, seqs and force", answering(c.plan)},
		{"POST", "/api/letters/replay", Operator, "replay those that match", answering(c.replay)},
		{"POST", "/api/letters/discard", Operator, "discard those that match", answering(c.discard)},
		{"POST", "/api/letters/edit", Operator, "edit the jobs of those that match, or say what that would do", answering(c.edit)},
		{"GET", "/api/replays", Viewer, "replays that run or ran since the start", answering(c.replays)},
		{"POST", "/api/replays/{id}/stop", Operator, "stop a replay", answering(c.stopReplay)},

		{"GET", "/api/campaigns", Viewer, "the campaigns' codes", answering(c.campaigns)},
		{"GET", "/api/campaigns/{code}", Viewer, "creatives, lock and history of a campaign", answering(c.campaign)},
		{"POST", "/api/campaigns/{code}/pause", Operator, "pause creatives, with a reason", answering(c.changeCampaign)},
		{"POST", "/api/campaigns/{code}/resume", Operator, "resume creatives, with a reason", answering(c.changeCampaign)},

		{"GET", "/api/rules", Viewer, "the rules, their newest runs, the stop switch", answering(c.rules)},
		{"GET", "/api/rules/backtest", Viewer, "a rule file on days that have passed: file, from, to", c.backtest},
		{"GET", "/api/rules/why/{creative}", Viewer, "what was done to a creative, and why", answering(c.why)},
		{"GET", "/api/rules/runs/{id}", Viewer, "a run and its decisions", answering(c.run)},
		{"POST", "/api/rules/runs/{id}/approve", Operator, "carry out what is held of a run", answering(c.approve)},
		{"POST", "/api/rules/runs/{id}/reject", Operator, "do not carry it out", answering(c.reject)},
		{"POST", "/api/rules/runs/{id}/undo", Operator, "take back what a run changed, with a reason", answering(c.undo)},

		{"POST", "/api/lanes/{lane}/pause", Admin, "have nothing taken from a lane, with a reason", answering(c.setLane)},
		{"POST", "/api/lanes/{lane}/resume", Admin, "let it go on, with a reason", answering(c.setLane)},
		{"POST", "/api/limit", Admin, "set the calls a second, 0 as configured, with a reason", answering(c.setLimit)},
		{"POST", "/api/stop", Operator, "stop all campaign actions, with a reason", answering(c.stopActions)},
		{"POST", "/api/start", Admin, "start them again", answering(c.startActions)},

		{"GET", "/api/audit", Viewer, "who did what: campaign, creative, actor, rule, job, match, since, until, limit", answering(c.audit)},
		{"GET", "/api/audit/export", Viewer, "the same as a file: format ndjson or csv", c.exportAudit},
	}
}
