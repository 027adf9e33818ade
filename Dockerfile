# One image for worker, listener, relay, starter and devstack; docker-compose.yml says which of them a container runs.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ENV CGO_ENABLED=0
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go build -trimpath -buildvcs=false -o /out/ ./worker ./listener ./relay ./starter ./internal/devstack/cmd/devstack
# A new volume takes the owner of the folder that it is mounted over.
RUN mkdir /stack

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/ /usr/local/bin/
COPY --from=build --chown=65532:65532 /stack /stack
USER 65532:65532
WORKDIR /stack
CMD ["/usr/local/bin/starter", "--help"]
