package app

import (
	"context"
	"net/url"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// resourceHeader is where Temporal's SDK puts the workflow's ID, for proxies that route by it.
const resourceHeader = "temporal-resource-id"

// printableHeaders escapes that header where it is not ASCII: a key may hold any printable character, and gRPC refuses such a
// header, and so the call, before anything is sent. The ID itself travels in the message and stays as it is.
func printableHeaders(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	headers, _ := metadata.FromOutgoingContext(ctx)
	if values := headers.Get(resourceHeader); !slices.ContainsFunc(values, notASCII) {
		return invoke(ctx, method, req, reply, conn, opts...)
	}
	headers = headers.Copy()
	values := headers.Get(resourceHeader)
	for i := range values {
		values[i] = url.PathEscape(values[i])
	}
	headers.Set(resourceHeader, values...)
	return invoke(metadata.NewOutgoingContext(ctx, headers), method, req, reply, conn, opts...)
}

func notASCII(text string) bool {
	for _, b := range []byte(text) {
		if b < 0x20 || b > 0x7e {
			return true
		}
	}
	return false
}
