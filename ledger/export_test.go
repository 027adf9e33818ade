package ledger

// WithHook lets tests look on, or meddle, on the lines where a crash matters: "<unit>.before_commit", "<unit>.after_commit".
func WithHook(hook func(point string)) Option { return func(o *options) { o.hook = hook } }
