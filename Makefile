.PHONY: help build test check peers peers-bench lint format record clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

build: ## Build everything, debug
	swift build

test: ## Run all tests
	swift test

check: ## Run every scenario, release, and compare with what it declares
	swift run -c release memlab check

peers: ## Compare with other people's libraries, which are fetched
	swift test --package-path Tests/Peers

peers-bench: ## Time deliveries beside theirs, release
	swift run -c release --package-path Tests/Peers DeliveryBench

lint: ## Complain about anything that is not formatted
	swift format lint --strict --recursive Package.swift Sources Tests

format: ## Format everything in place
	swift format --in-place --recursive Package.swift Sources Tests

record: ## Rewrite golden files, transcripts and quoted code from what is built now
	-MEMLAB_RECORD=1 swift test --filter ListingTests
	-MEMLAB_RECORD=1 swift test
	swift test

clean: ## Remove what was built
	rm -rf .build Tests/Peers/.build
