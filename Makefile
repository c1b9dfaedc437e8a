# Assay: `make help` explains every target.
# make BUILD=dir builds elsewhere; CC=clang and CFLAGS_EXTRA=... are yours to set; V=1 shows commands.

BUILD ?= build
Q := $(if $(V),,@)
PREFIX ?= /usr/local
CC = gcc
PYTHON ?= /usr/bin/python3

PKGS := libcurl libxml-2.0 libcjson libcrypto libutf8proc yaml-0.1 zlib gmp sqlite3 libcmark-gfm openblas libbrotlidec libidn2
CPPFLAGS += -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS ?= -O2 -g
CFLAGS_ALL = -std=c17 -Wall -Wextra -Werror -Wshadow -Wvla -fno-common $(CFLAGS) $(CFLAGS_EXTRA)
# OpenBLAS is opened when the CPU device is, see bench/blas.h.
LDLIBS = $(shell pkg-config --libs $(filter-out openblas,$(PKGS)) 2>/dev/null) -lcmark-gfm-extensions -lcmark-gfm -lm -lpthread -ldl

# CUDA: found where nvcc is on PATH or under the usual prefix; make NVCC= leaves it out.
NVCC ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCHS := 75 80 86 89 90 100 120
NVCCFLAGS = -O3 -std=c++17 -t 0 --compress-mode=size -Xcompiler -Wall,-Wextra,-fPIC -DASSAY_CUDA -I. \
  $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a),code=sm_$(a)) \
  -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS))

SOURCES := $(wildcard core/*.c schemas/*.c fetch/*.c fetch/*/*.c audit/*.c audit/checks/*.c bench/*.c bench/*/*.c report/*.c ledger/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
DATA := $(wildcard audit/data/*.tsv fetch/data/* bench/data/* bench/adapters/*.py report/data/*)
ifneq ($(NVCC),)
CUDA_HOME := $(abspath $(dir $(NVCC))..)
OBJECTS += $(patsubst %.cu,$(BUILD)/%.cu.o,$(wildcard bench/*.cu bench/*/*.cu))
CPPFLAGS += -DASSAY_CUDA
# cuBLAS is opened when a GPU is used, so that the program starts without it.
LDLIBS += -L$(CUDA_HOME)/lib64 -lcudart_static -lstdc++ -lrt
else
$(info no nvcc found: building without the CUDA device (set NVCC=/path/to/nvcc to include it))
endif
TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c)) \
  $(patsubst tests/tools/%.c,$(BUILD)/tests/%,$(wildcard tests/tools/*.c))
FORMATTED := $(filter-out $(BUILD)/% build/%,$(wildcard */*.[ch] */*/*.[ch] */*.cu */*/*.cu))

all: $(BUILD)/assay ## build the program: build/assay

CLI := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))
$(BUILD)/assay: $(CLI) $(BUILD)/libassay.a $(BUILD)/flags
	$(Q)echo "  LD $@"; $(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $(CLI) $(OBJECTS) $(LDLIBS)

$(BUILD)/libassay.a: $(OBJECTS) $(BUILD)/objects
	$(Q)echo "  AR $@"; rm -f $@; ar rcs $@ $(OBJECTS)

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(Q)echo "  CC $<"; mkdir -p $(@D); $(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/%.cu.o: %.cu $(BUILD)/flags
	$(Q)echo "  NVCC $<"; mkdir -p $(@D); $(NVCC) $(NVCCFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(BUILD)/embedded.c: $(DATA) tools/embed $(BUILD)/objects
	$(Q)tools/embed $(DATA) > $@.tmp && mv $@.tmp $@

$(BUILD)/embedded.o: $(BUILD)/embedded.c $(DATA) $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libassay.a
	$(Q)echo "  CC $<"; mkdir -p $(@D); $(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS) -o $@ $< $(BUILD)/libassay.a $(LDLIBS) -lcmocka

$(BUILD)/tests/%: tests/tools/%.c $(BUILD)/libassay.a
	$(Q)echo "  CC $<"; mkdir -p $(@D); $(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS) -o $@ $< $(BUILD)/libassay.a $(LDLIBS) -lopenblas

# Stamps that change only when the flags or the set of files do, so that either rebuilds what it must.
STAMP = mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' > $@
$(BUILD)/flags: FORCE
	@$(call STAMP,$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(NVCC) $(NVCCFLAGS) $(LDFLAGS) $(LDLIBS))
$(BUILD)/objects: FORCE
	@$(call STAMP,$(OBJECTS) $(DATA))
FORCE:

deps: ## install what building and running needs; make deps SET=test adds what the tests need
	sh tools/deps $(SET)

example: all ## audit the bundled example end to end and say where its report is
	sh tools/example $(BUILD)/assay

test: all $(TESTS) ## build and run the tests; the last line counts them
	$(PYTHON) tests/run.py --build $(BUILD)

SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
sanitize-build:
	+$(MAKE) BUILD=$(BUILD)/sanitize NVCC= CFLAGS="$(SANITIZE)" LDFLAGS="-fsanitize=address,undefined" all unit-tests

unit-tests: $(TESTS)

sanitize: sanitize-build ## the whole suite under AddressSanitizer and UndefinedBehaviorSanitizer
	$(PYTHON) tests/run.py --build $(BUILD)/sanitize

FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/libassay.a
	@mkdir -p $(@D)
	$(Q)echo "  CC $<"; $(CC) $(CPPFLAGS) $(CFLAGS_ALL) -fsanitize=fuzzer -MMD -MP -o $@ $< $(BUILD)/libassay.a $(LDFLAGS) $(LDLIBS)

fuzz-targets: $(FUZZERS)

fuzz-build:
	+$(MAKE) BUILD=$(BUILD)/fuzzing NVCC= CC=clang-14 LDFLAGS="-fsanitize=address,undefined" \
	  CFLAGS="$(SANITIZE) -fsanitize=fuzzer-no-link" fuzz-targets

fuzz-short: fuzz-build ## every fuzz target for a few seconds (ASSAY_FUZZ_SECONDS) over its seeds
	$(PYTHON) tests/run.py --build none --fuzz $(BUILD)/fuzzing fuzz_

check: format-check all unit-tests sanitize-build fuzz-build ## everything CI runs: tests, sanitizers, fuzzing
	$(PYTHON) tests/run.py --build $(BUILD) --build $(BUILD)/sanitize --fuzz $(BUILD)/fuzzing

valgrind: all $(TESTS) ## the suite under valgrind (slow; not part of check)
	tools/valgrind $(BUILD) $(BUILD)/valgrind
	ASSAY_TEST_LIMIT=1800 $(PYTHON) tests/run.py --build $(BUILD)/valgrind

coverage: ## lines covered by the tests, file by file
	+$(MAKE) BUILD=$(BUILD)/coverage NVCC= CFLAGS="-O0 -g --coverage" LDFLAGS=--coverage test
	gcovr --root . --object-directory $(BUILD)/coverage --exclude tests --sort-percentage

format: ## lay out the C files
	clang-format-14 -i $(FORMATTED)

format-check: ## fail when a C file is not laid out as .clang-format says
	@clang-format-14 --dry-run -Werror $(FORMATTED)

install: all ## install under PREFIX (default /usr/local), DESTDIR honoured
	install -D -m 755 $(BUILD)/assay $(DESTDIR)$(PREFIX)/bin/assay
	install -D -m 644 docs/assay.1 $(DESTDIR)$(PREFIX)/share/man/man1/assay.1

score-audit: all ## precision and recall of the audit over tests/corpus
	$(PYTHON) tests/score_audit.py $(BUILD)/assay

bench-%: all $(TESTS) ## bench-NAME: measure and print figures (audit, bench, fetch, report, stats)
	BUILD=$(BUILD) tools/bench/$*

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## this list
	@grep -hE '^[a-z%-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /	/' | expand -t 20

.PHONY: all deps example test unit-tests sanitize sanitize-build fuzz-targets fuzz-build fuzz-short check \
  score-audit valgrind coverage format format-check install clean help
.DELETE_ON_ERROR:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
