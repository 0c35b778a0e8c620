package message_test

import (
	"fmt"

	"usher/queues/message"
)

func ExampleRedact() {
	job := `{"segment":"17","profile":"idfa","source":{"url":"https://crm.example/ids.csv?token=secret"}}`
	fmt.Println(string(message.Redact([]byte(job))))
	// Output: {"profile":"idfa","segment":"17","source":{"url":"https://crm.example/ids.csv?…"}}
}
