.PHONY: help build test verify sample server linked check tsan asan peers peers-bench lint format record install \
	uninstall clean lsan-compare million fuzz fuzz-memory bench costs mutants site site-test

LINKED = Tests/Fixtures/LinkedProgram

# The tests that keep what a scenario prints, in its golden file and in its lesson, and what every
# scenario must have.
OF_A_SCENARIO = '(CLITests.GoldenTests/scenario|LessonTests.LessonTests/(blocks|lesson|index)|CatalogTests)'

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*##/ { printf "%-14s%s\n", $$1, $$2 }' Makefile

build: ## Build everything, debug
	swift build

test: ## Run the tests, but for the slow ones
	swift test

verify: ## Run all that .ci/run has no time for, or PARTS of it; takes hours
	Scripts/verify.sh $(PARTS)

sample: ## Test the packages that use memlab as outside packages would
	cd Tests/Fixtures/NewsReader && swift test
	cd Tests/Fixtures/Namesakes && swift test
	cd Tests/Fixtures/OurLab && swift run our-lab check && swift run our-lab check --scheduler pool
	cd Tests/Fixtures/OurPackages && swift run our-packages check

check: ## Run every scenario, release, and compare with what it declares
	swift run -c release memlab check

tsan: ## Run every scenario under ThreadSanitizer; it must report the one real race
	Scripts/sanitize.sh thread

site: ## Write the course as pages for a browser, below .build/site, release
	swift run -c release memlab site .build/site

site-test: site ## Step through every ending of the site in a browser
	-python3 -m pip install --quiet --no-deps --target .build/axe axe-playwright-python==0.1.8
	python3 -B Tests/Browser/site_tests.py .build/site .build/release/memlab

server: ## Play lesson 10 against its server, whose packages are fetched
	swift build
	swift test --package-path Tests/Fixtures/GrowingServer

linked: ## Watch a program that links the agent and has the runtime in itself, release
	swift build -c release --static-swift-stdlib --package-path $(LINKED)
	MEMLAB_LINKED_PROGRAM="$(CURDIR)"/$(LINKED)/.build/release/LinkedProgram \
	  swift test --filter 'CLITests.(LinkedAgent|Watch)Tests'

asan: ## Run every scenario under AddressSanitizer
	Scripts/sanitize.sh address

peers: ## Compare with other people's libraries, which are fetched
	swift test --manifest-cache none --package-path Tests/Peers

peers-bench: ## Time deliveries beside theirs, release
	swift run -c release --manifest-cache none --package-path Tests/Peers DeliveryBench

lsan-compare: ## Show leaks to LeakSanitizer and valgrind, beside what memlab says
	swift build --product memlab
	swift Tests/OtherTools/compare.swift

million: ## Read a million objects while LeakSanitizer checks as many, release
	Scripts/million.sh

bench: ## Measure what memlab itself costs, release
	swift build -c release --product memlab
	swift run -c release MemlabBench

costs: ## Measure the same, and write the figures into Documentation/Costs.md
	swift build -c release --product memlab
	swift run -c release MemlabBench --format json > .build/costs.json
	swift run -c release MemlabBench --from .build/costs.json --format markdown > .build/costs.md
	sed -e '/^<!-- costs -->/,/^<!-- end of costs -->/{//!d;}' \
	  -e '/^<!-- costs -->/r .build/costs.md' Documentation/Costs.md > .build/costs-page.md
	mv .build/costs-page.md Documentation/Costs.md

mutants: ## Break memlab in one way after another, and see each noticed; takes a while
	swift Tests/Mutants/mutants.swift

fuzz: ## Try 100,000 random command lines, and each scenario ten times
	MEMLAB_FUZZ=100000 swift test --filter '(FuzzTests|GoldenTests/repetition)'

fuzz-memory: ## Read the heap with a million bits of it flipped
	MEMLAB_FUZZ_MEMORY=1000000 swift test --filter MemoryFuzzTests

lint: ## Complain about anything that is not formatted
	swift format lint --strict --parallel --recursive Package.swift Plugins Sources Tests

format: ## Format everything in place
	swift format --in-place --recursive Package.swift Plugins Sources Tests

record: ## Rewrite golden files and transcripts from what is built now; SCENARIO=id for those of one
ifdef SCENARIO
	-MEMLAB_RECORD=1 MEMLAB_SCENARIO=$(SCENARIO) swift test --filter $(OF_A_SCENARIO)
	MEMLAB_SCENARIO=$(SCENARIO) swift test --skip-build --filter $(OF_A_SCENARIO)
else
	-MEMLAB_RECORD=1 swift test
	swift test
endif

# Make hands names with spaces to no command line whole, but to the environment.
export PREFIX DESTDIR
install: ## Install memlab, its completions and its manual below PREFIX
	Scripts/install.sh install

uninstall: ## Remove what install has installed
	Scripts/install.sh uninstall

clean: ## Remove what was built
	rm -rf .build Tests/Peers/.build
