package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
)

// defaultAccount is the account of all users if NATS's configuration has no accounts.
const defaultAccount = "$G"

// examineAccount reports which account of NATS usher logs in to. Publishers must not log
// in to it. NATS does not show a user who else may log in, so doctor knows only two
// things: whether it is the default account, and who is connected now.
func (e *examination) examineAccount(ctx context.Context, nc *nats.Conn) []queues.CheckResult {
	connected := connections(ctx, nc)
	found := []queues.CheckResult{e.describeAccount(ctx, nc, connected)}
	if f, differ := versionsOfServers(connected.versions); differ {
		found = append(found, f)
	}
	return found
}

func (e *examination) describeAccount(ctx context.Context, nc *nats.Conn, connected connected) queues.CheckResult {
	const what = "NATS account"
	var info apiInfo
	err := e.call(ctx, func(ctx context.Context) (err error) {
		info, err = userInfo(ctx, nc)
		return err
	})
	switch {
	case err != nil:
		return checked(what, nil, "not checked, because this user may not ask NATS for its account ($SYS.REQ.USER.INFO); publishers must log in to another one, see deploy/nats.conf")
	case slices.Contains(info.Server.Tags, connect.EmbeddedTag):
		return checked(what, nil, "the server of usher dev has one account for all users of this machine")
	case info.Data.Account == defaultAccount:
		return checked(what, nil, "warning: usher uses NATS's default account, which publishers share unless they log in to another one. "+
			"Publishers in the same account can overwrite usher's buckets, whatever their permissions: set up accounts as in deploy/nats.conf "+
			"(doctor checked the account of its own connection)")
	}
	says := info.Data.Account + "; publishers must log in to another account"
	users, foreign := connected.users, connected.foreign
	if len(foreign) > 0 {
		says = fmt.Sprintf("warning: %s. Clients other than usher are connected to it: %s. A publisher must log in to another account, see deploy/nats.conf: "+
			"in this one it can overwrite usher's buckets, whatever its permissions", info.Data.Account, strings.Join(foreign, ", "))
	}
	if len(users) > 0 {
		says += fmt.Sprintf(". Users connected now: %s (doctor cannot see who else may log in)", strings.Join(users, ", "))
	}
	return checked(what, nil, readable.Printable(says))
}

// apiInfo is the response of NATS about the user of a connection.
type apiInfo struct {
	Server struct {
		Tags []string `json:"tags"`
	} `json:"server"`
	Data struct {
		Account string `json:"account"`
	} `json:"data"`
}

func userInfo(ctx context.Context, nc *nats.Conn) (info apiInfo, err error) {
	answer, err := nc.RequestWithContext(ctx, "$SYS.REQ.USER.INFO", nil)
	if err != nil {
		return info, err
	}
	return info, json.Unmarshal(answer.Data, &info)
}

// answerTime is how long connections waits for the servers of a cluster.
const answerTime = time.Second

// connected are the names of the users who are connected to an account, those of clients other
// than usher, and the names of the servers by their version.
type connected struct {
	users, foreign []string
	versions       map[string][]string
}

// connections returns the names of the users who are connected to the account, and those of
// clients other than usher, and the versions of the servers. It includes only servers that respond in time, and at most
// 1,024 connections of each.
func connections(ctx context.Context, nc *nats.Conn) connected {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answers, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		return connected{}
	}
	defer func() { _ = answers.Unsubscribe() }() // the connection ends next
	if nc.PublishRequest("$SYS.REQ.ACCOUNT.PING.CONNZ", answers.Subject, []byte(`{"auth":true}`)) != nil {
		return connected{}
	}
	names, others, versions := map[string]bool{}, map[string]bool{}, map[string][]string{}
	for range max(1, len(nc.Servers())) {
		answer, err := answers.NextMsgWithContext(ctx)
		if err != nil {
			break
		}
		var connz struct {
			Server struct {
				Name    string `json:"name"`
				Version string `json:"ver"`
			} `json:"server"`
			Data struct {
				Connections []struct {
					User   string `json:"authorized_user"`
					Client string `json:"name"`
				} `json:"connections"`
			} `json:"data"`
		}
		if json.Unmarshal(answer.Data, &connz) != nil {
			continue
		}
		versions[connz.Server.Version] = append(versions[connz.Server.Version], connz.Server.Name)
		for _, c := range connz.Data.Connections {
			if c.User != "" {
				names[c.User] = true
			}
			if !strings.HasPrefix(c.Client, connect.ClientPrefix) {
				others[fmt.Sprintf("%s (client %q)", cmp.Or(c.User, "a user without a name"), c.Client)] = true
			}
		}
	}
	return connected{slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(others)), versions}
}
