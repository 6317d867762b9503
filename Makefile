# aitrace: see README.md. `make help` lists the targets.
VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Werror
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all \
           -fno-omit-frame-pointer
STAGES  := base model stream input replay store analyse render cli
PKGS    := sqlite3 libcjson zlib

# Looked up when a recipe runs, not when make starts: `make deps` may have
# to install pkg-config first.
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS)) -lm -lpthread
CPPFLAGS_ALL = -D_POSIX_C_SOURCE=200809L -DAIT_VERSION='"$(VERSION)"' \
               -Isrc -Iinclude -I$(BUILD)/gen $(PKG_CFLAGS) $(CPPFLAGS)
COMPILE  = $(CC) $(WARN) $(CFLAGS) $(CPPFLAGS_ALL) -MMD -MP

stage_src = $(sort $(wildcard src/$(1)/*.c src/$(1)/*/*.c))
stage_obj = $(patsubst src/%.c,$(BUILD)/$(2)/%.o,$(call stage_src,$(1)))
LIB_STAGES := $(filter-out cli,$(STAGES))
LIB_OBJ := $(foreach s,$(LIB_STAGES),$(call stage_obj,$(s),obj))
CLI_OBJ := $(call stage_obj,cli,obj)
SAN_LIB := $(foreach s,$(LIB_STAGES),$(call stage_obj,$(s),san))
SAN_CLI := $(call stage_obj,cli,san)
GEN     := $(BUILD)/gen/migrations.h $(BUILD)/gen/formats.h

.PHONY: all
all: deps-check $(BUILD)/aitrace $(BUILD)/libaitrace.a

.PHONY: help
help:
	@sed -n 's/^## //p' Makefile

## make               build build/aitrace and build/libaitrace.a
## make demo          install what is missing, build, run on the test data
## make test          install what is missing, run every test (sanitizers on)
## make check-corpus  run the checkers of ../shared where it is present
## make bench         measure speed, memory, bytes stored
## make fuzz-smoke    each fuzz target for FUZZ_SECONDS (60)
## make lint          static checks (what is missing is skipped and named)
## make install       PREFIX (/usr/local), DESTDIR
## make uninstall
## make clean

# ---- dependencies -------------------------------------------------------
.PHONY: deps deps-check
deps:
	@sh tests/deps.sh
deps-check:
	@sh tests/deps.sh --check

# ---- generated: SQL migrations and log formats as byte arrays ------------
$(BUILD)/gen/migrations.h: $(sort $(wildcard schema/db/*.sql)) tests/embed.sh
	@mkdir -p $(@D)
	sh tests/embed.sh ait_migration $(sort $(wildcard schema/db/*.sql)) > $@
$(BUILD)/gen/formats.h: $(sort $(wildcard schema/formats/*.json)) tests/embed.sh
	@mkdir -p $(@D)
	sh tests/embed.sh ait_format_file $(sort $(wildcard schema/formats/*.json)) > $@

# ---- program and library -------------------------------------------------
$(BUILD)/obj/%.o: src/%.c | $(GEN)
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@
$(BUILD)/san/%.o: src/%.c | $(GEN)
	@mkdir -p $(@D)
	$(COMPILE) -O1 $(SAN) -c $< -o $@
$(BUILD)/libaitrace.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^
$(BUILD)/aitrace: $(CLI_OBJ) $(BUILD)/libaitrace.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(PKG_LIBS) -o $@
$(BUILD)/san/aitrace: $(SAN_CLI) $(SAN_LIB)
	$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) $^ $(PKG_LIBS) -o $@

# ---- tests ----------------------------------------------------------------
# tests/unit/STAGE_name.c is linked with the objects of its stage and the
# stages above it, and with nothing below: the layer order holds or it does
# not link.
UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
UNIT     := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(UNIT_SRC))
upto = $(if $(filter $(firstword $(2)),$(1)),$(1),$(firstword $(2)) \
       $(call upto,$(1),$(wordlist 2,99,$(2))))
test_stage = $(firstword $(subst _, ,$(notdir $(1))))
define unit_rule
$(1): $(patsubst $(BUILD)/unit/%,tests/unit/%.c,$(1)) tests/harness.h \
      $(foreach s,$(filter-out cli,$(call upto,$(call test_stage,$(1)),$(STAGES))),$(call stage_obj,$(s),san))
	@mkdir -p $$(@D)
	$$(COMPILE) -O1 $$(SAN) -Itests $$(filter %.c %.o,$$^) $$(PKG_LIBS) -o $$@
endef
$(foreach u,$(UNIT),$(eval $(call unit_rule,$(u))))

.PHONY: unit test test-run
# make unit T=stream_sse: one unit test program, run
unit: $(if $(T),$(BUILD)/unit/$(T),$(UNIT))
	@for t in $^; do echo "# $$t"; $$t || exit 1; done
test: deps
	@$(MAKE) --no-print-directory test-run
test-run: $(BUILD)/aitrace $(BUILD)/san/aitrace $(UNIT)
	@BUILD=$(BUILD) CC="$(CC)" sh tests/run.sh

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: clean
clean:
	rm -rf $(BUILD)
