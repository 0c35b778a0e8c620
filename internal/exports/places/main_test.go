package places_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// tests runs all tests, and then stops the store that they share.
type tests struct{ *testing.M }

func (t tests) Run() int {
	defer stopGoogle()
	return t.M.Run()
}

// TestMain sets the environment that the libraries of object stores read: logins, and
// the address of Google's store.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"STORAGE_EMULATOR_HOST": listenGoogle(),
		"AWS_ACCESS_KEY_ID":     "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-central-1",
		"AZURE_STORAGE_ACCOUNT": "account", "AZURE_STORAGE_KEY": "c2VjcmV0",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(tests{m}, goleak.IgnoreAnyFunction("go.opencensus.io/stats/view.(*worker).start"))
}
