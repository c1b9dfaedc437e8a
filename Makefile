# Assay: `make help` explains every target.
# make BUILD=dir builds elsewhere; CC=clang and CFLAGS_EXTRA=... are yours to set.

BUILD ?= build
PREFIX ?= /usr/local
CC = gcc
PYTHON ?= /usr/bin/python3

PKGS := libcurl libxml-2.0 libcjson libcrypto libutf8proc yaml-0.1 zlib gmp sqlite3 libcmark-gfm openblas
CPPFLAGS += -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS ?= -O2 -g
CFLAGS_ALL = -std=c17 -Wall -Wextra -Werror -Wshadow -Wvla -fno-common $(CFLAGS) $(CFLAGS_EXTRA)
LDLIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lcmark-gfm-extensions -lcmark-gfm -lm -lpthread -ldl

# CUDA: found where nvcc is on PATH or under the usual prefix; make NVCC= leaves it out.
NVCC ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCHS := 75 80 86 89 90 100 120
NVCCFLAGS = -O3 -std=c++17 -t 0 --compress-mode=size -Xcompiler -Wall,-Wextra,-fPIC -I. \
  $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a),code=sm_$(a)) \
  -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS))

SOURCES := $(wildcard core/*.c schemas/*.c fetch/*.c fetch/*/*.c audit/*.c audit/checks/*.c bench/*.c bench/*/*.c report/*.c ledger/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
DATA := $(wildcard audit/data/*.tsv fetch/data/* bench/data/* report/data/*)
ifneq ($(NVCC),)
CUDA_HOME := $(abspath $(dir $(NVCC))..)
OBJECTS += $(patsubst %.cu,$(BUILD)/%.cu.o,$(wildcard bench/*.cu bench/*/*.cu))
CPPFLAGS += -DASSAY_CUDA
# cuBLAS is opened when a GPU is used, so that the program starts without it.
LDLIBS += -L$(CUDA_HOME)/lib64 -lcudart_static -lstdc++ -lrt
else
$(info no nvcc found: building without the CUDA device (set NVCC=/path/to/nvcc to include it))
endif
TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
FORMATTED := $(wildcard */*.[ch] */*/*.[ch] */*.cu */*/*.cu)

all: $(BUILD)/assay ## build the program: build/assay

$(BUILD)/assay: $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c)) $(BUILD)/libassay.a
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libassay.a: $(OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/%.cu.o: %.cu Makefile
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(BUILD)/embedded.c: $(DATA) tools/embed Makefile
	@mkdir -p $(@D)
	tools/embed $(DATA) > $@.tmp && mv $@.tmp $@

$(BUILD)/embedded.o: $(BUILD)/embedded.c
	$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libassay.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS) -o $@ $< $(BUILD)/libassay.a $(LDLIBS) -lcmocka

test: all $(TESTS) ## build and run every test; the last line counts them
	BUILD=$(BUILD) $(PYTHON) tests/run.py

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /	/' | expand -t 20

.PHONY: all test clean help
.DELETE_ON_ERROR:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
