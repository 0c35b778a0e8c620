package queuetest

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Replica is a copy of a stream that lags behind the leader.
type Replica struct {
	js      jetstream.JetStream
	missing []*jetstream.RawStreamMsg
}

// Names of the stream that stands for the replica, and the prefix of its subjects.
const (
	replicaName   = "REPLICA"
	replicaPrefix = "replica."
)

// Lag makes a replica serve consumers and direct gets of a stream, as any replica in a
// cluster may, on a Broker of NewOn. It has no message until Follow. If opened is not nil, it is called for
// each new consumer.
func (b *Broker) Lag(t testing.TB, stream string, opened func(*Replica)) *Replica {
	t.Helper()
	r := b.newReplica(t, stream)
	b.redirect(t, stream, func() {
		if opened != nil {
			opened(r)
		}
	})
	return r
}

// Depose makes a replica answer the reads of a stream's leader, as a server does that has been
// suspended while another one was elected, on a Broker of NewOn. It has no message until Follow. The
// function that it returns ends this.
func (b *Broker) Depose(t testing.TB, stream string) (r *Replica, end func()) {
	t.Helper()
	r = b.newReplica(t, stream)
	const get = "$JS.API.STREAM.MSG.GET."
	if err := b.account.AddMapping(get+stream, get+replicaName); err != nil {
		t.Fatal(err)
	}
	return r, func() { b.account.RemoveMapping(get + stream) }
}

// newReplica makes a copy of a stream that has no message until Follow.
func (b *Broker) newReplica(t testing.TB, stream string) *Replica {
	t.Helper()
	leader, err := b.JS.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	r := &Replica{js: b.JS}
	for seq := range leader.CachedInfo().State.LastSeq {
		m, err := leader.GetMsg(t.Context(), seq+1)
		if err != nil {
			t.Fatal(err)
		}
		r.missing = append(r.missing, m)
	}
	config := leader.CachedInfo().Config
	config.Name, config.Subjects, config.AllowDirect = replicaName, []string{replicaPrefix + ">"}, true
	config.SubjectTransform = &jetstream.SubjectTransformConfig{Source: replicaPrefix + ">", Destination: ">"}
	if _, err := b.JS.CreateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	return r
}

// redirect sends requests about consumers of a stream, and direct gets, to the replica.
func (b *Broker) redirect(t testing.TB, stream string, opened func()) {
	t.Helper()
	const api, created = "$JS.API.", "replica_consumer"
	for from, to := range map[string]string{
		api + "DIRECT.GET." + stream:               api + "DIRECT.GET." + replicaName,
		api + "DIRECT.GET." + stream + ".>":        api + "DIRECT.GET." + replicaName + ".>",
		api + "CONSUMER.INFO." + stream + ".>":     api + "CONSUMER.INFO." + replicaName + ".>",
		api + "CONSUMER.DELETE." + stream + ".>":   api + "CONSUMER.DELETE." + replicaName + ".>",
		api + "CONSUMER.MSG.NEXT." + stream + ".>": api + "CONSUMER.MSG.NEXT." + replicaName + ".>",
		api + "CONSUMER.CREATE." + stream + ".>":   created + ".>",
	} {
		if err := b.account.AddMapping(from, to); err != nil {
			t.Fatal(err)
		}
	}
	var handling sync.Mutex // held while a request is handled
	subscription, err := b.Conn.Subscribe(created+".>", func(request *nats.Msg) {
		handling.Lock()
		defer handling.Unlock()
		body := bytes.Replace(request.Data, []byte(`"stream_name":"`+stream+`"`), []byte(`"stream_name":"`+replicaName+`"`), 1)
		subject := api + "CONSUMER.CREATE." + replicaName + request.Subject[len(created):]
		answer, err := b.Conn.Request(subject, body, time.Minute)
		if err == nil {
			err = request.RespondMsg(answer)
		}
		if err != nil {
			t.Error(err)
			return
		}
		opened()
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a request may outlast the test that has seen what it needs
		_ = subscription.Unsubscribe()
		handling.Lock()
		defer handling.Unlock()
	})
}

// Follow copies the next messages of the stream to the replica, at most n.
func (r *Replica) Follow(t testing.TB, n int) {
	t.Helper()
	n = min(n, len(r.missing))
	for _, m := range r.missing[:n] {
		if _, err := r.js.PublishMsg(context.WithoutCancel(t.Context()), &nats.Msg{Subject: replicaPrefix + m.Subject, Header: m.Header, Data: m.Data}); err != nil {
			t.Fatal(err)
		}
	}
	r.missing = r.missing[n:]
}

// Swallow makes NATS neither store nor answer what is published on a subject, as a server may whose disk
// is full, on a Broker of NewOn.
func (b *Broker) Swallow(t testing.TB, subject string) {
	t.Helper()
	const nowhere = "swallowed"
	if _, err := b.Conn.Subscribe(nowhere, func(*nats.Msg) {}); err != nil { // otherwise NATS says that nobody responds
		t.Fatal(err)
	}
	if err := b.account.AddMapping(subject, nowhere); err != nil {
		t.Fatal(err)
	}
}

// BeforeScan calls do once, before the nth scan of a bucket's values from now on begins, on a Broker of NewOn.
// Scans must follow one another.
func (b *Broker) BeforeScan(t testing.TB, bucket string, n int, do func()) {
	t.Helper()
	const held = "held_scan"
	subject := "$JS.API.CONSUMER.CREATE.KV_" + bucket
	hold := func() {
		if err := b.account.AddMapping(subject+".>", held+".>"); err != nil {
			t.Error(err)
		}
	}
	hold()
	_, err := b.Conn.Subscribe(held+".>", func(request *nats.Msg) {
		b.account.RemoveMapping(subject + ".>")
		if n--; n == 0 {
			do()
		}
		answer, err := b.Conn.Request(subject+request.Subject[len(held):], request.Data, time.Minute)
		if n > 0 {
			hold()
		}
		if err == nil {
			err = request.RespondMsg(answer)
		}
		if err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
