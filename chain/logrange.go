package chain

import "strings"

// logRangePhrases are the words with which nodes and providers refuse a log query for its size. The numbers in them are no
// advice: some suggest the very range that they refused.
var logRangePhrases = []string{
	"query returned more than", "log response size exceeded", "query exceeds max results", "eth_getlogs is limited to a",
	"block range is larger than max block range", "requested too many blocks", "too wide blocks range", "exceed maximum block range",
	"query timeout exceeded", "request timed out", "context deadline exceeded",
}

// LogRangeTooWide reports whether a log query should be halved and asked again.
func LogRangeTooWide(err error) bool {
	if err == nil {
		return false
	}
	text := strings.ToLower(answerText(err))
	for _, phrase := range logRangePhrases {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	// "range 2000 exceeds limit of 1000"
	_, after, found := strings.Cut(text, "range ")
	return found && strings.Contains(after, " exceeds limit of ")
}
