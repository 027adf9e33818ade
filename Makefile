# Needs Go, make and git. Everything else is built or found by the targets.

GO       ?= go
TOOL     := $(GO) tool -modfile=internal/tools/go.mod
DEVSTACK := $(GO) run ./internal/devstack/cmd/devstack
TEST_DIR := $(or $(QUITTANCE_TEST_STACK),.devstack-test)
# The race detector needs a C compiler, which a stock Go does without.
RACE      = $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)
MAINS    := worker listener relay starter

.DEFAULT_GOAL := help
.PHONY: help build up down demo test bench lint vuln contracts

help: ## Show this help.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build bin/worker, bin/listener, bin/relay, bin/starter and bin/devstack.
	@mkdir -p bin
	@set -e; for main in $(MAINS); do $(GO) build -o bin/$$main ./$$main; done
	@$(GO) build -o bin/devstack ./internal/devstack/cmd/devstack

up: build ## Start Postgres, Temporal, geth and NATS, deploy the vault, and print where all is.
	@$(DEVSTACK) up

down: ## Stop them; data stays. `make down WIPE=1` deletes the data too.
	@$(DEVSTACK) down $(if $(WIPE),--wipe)

demo: ## Settle a payouts file on real parts while processes are killed, and prove the books.
	@$(GO) run ./internal/demo

# The servers are built first, or a package's time limit would have to cover
# minutes of compiling. A fresh stack each time; afterwards it is stopped,
# whatever the tests say or Ctrl-C, and its logs stay for a look.
test: ## Run all tests against real servers, with the race detector if there is a C compiler.
	@$(if $(RACE),,echo "no C compiler: testing without the race detector")
	@$(DEVSTACK) build >/dev/null
	@$(DEVSTACK) down --wipe --dir $(TEST_DIR)
	@$(GO) -C internal/devstack/servers test -vet=off ./...
	@trap '$(DEVSTACK) down --dir $(TEST_DIR)' EXIT; trap 'exit 130' INT TERM; \
	$(GO) test $(RACE) -timeout 30m $(TESTFLAGS) ./...

# A stack of its own, made afresh and stopped afterwards.
bench: ## Measure throughput beside its ceilings, latency, memory and cost. BENCHFLAGS="-payments 1000" for a short one.
	@$(GO) run ./internal/bench $(BENCHFLAGS)

lint: ## Vet both modules; check style, imports and the determinism of the workflow.
	@$(GO) vet ./...
	@$(GO) -C internal/devstack/servers vet ./...
	@$(TOOL) golangci-lint run
	@$(TOOL) workflowcheck ./workflows/...

vuln: ## Look for known vulnerabilities; needs the public vulnerability database.
	@$(TOOL) govulncheck ./...

contracts: ## Compile the contracts and regenerate their Go bindings.
	@bash contracts/build.sh
