// Package azuretest gives tests a store that speaks the protocol of Azure Blob Storage.
package azuretest

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
)

// The account of each server. Its key is in base64.
const (
	account = "account"
	key     = "c2VjcmV0"
)

// Environment is what usher needs to log in.
var Environment = map[string]string{"AZURE_STORAGE_ACCOUNT": account, "AZURE_STORAGE_KEY": key}

// Serve starts the program azurite-blob in USHER_TEST_AZURITE (the npm package azurite; version
// 3.35 is known to work), which ends with the test, and makes containers. It returns the options of
// an azblob URL. Without the variable it skips the test: the program is too large to be fetched
// for each run.
func Serve(t *testing.T, containers ...string) (options string, client *azblob.Client) {
	t.Helper()
	program := os.Getenv("USHER_TEST_AZURITE")
	if program == "" {
		t.Skip("USHER_TEST_AZURITE does not name azurite-blob")
	}
	server := exec.CommandContext(t.Context(), program, "--blobHost", "127.0.0.1", "--blobPort", "0", "--inMemoryPersistence", "--silent", "--disableTelemetry", "--skipApiVersionCheck") //nolint:gosec // the variable is set by who runs the tests
	server.Dir = t.TempDir()
	server.Env = append(os.Environ(), "AZURITE_ACCOUNTS="+account+":"+key)
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	address := ""
	lines := bufio.NewScanner(out)
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "successfully listens on ")
	}
	read := make(chan struct{})
	go func() { defer close(read); _, _ = io.Copy(io.Discard, out) }()
	t.Cleanup(func() { <-read; _ = server.Wait() }) // it was killed with the context
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		t.Fatalf("%s did not say where it listens: %v", program, err)
	}
	client, err = azblob.NewClientFromConnectionString(fmt.Sprintf("DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=%s/%s", account, key, address, account), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range containers {
		if _, err := client.CreateContainer(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	return "localemu=true&protocol=http&domain=" + at.Host, client
}
