# aitrace: see README.md. `make help` lists the targets.
VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O3 -g
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Werror
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all \
           -fno-omit-frame-pointer
STAGES  := base model stream input replay store analyse render api cli
PKGS    := sqlite3 libcjson zlib
FUZZ_SECONDS ?= 60

# Looked up when a recipe runs, not when make starts: `make deps` may have
# to install pkg-config first.
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS)) -lm -lpthread
CPPFLAGS_ALL = -D_POSIX_C_SOURCE=200809L -DAIT_VERSION='"$(VERSION)"' \
               -Isrc -Iinclude -I$(BUILD)/gen $(PKG_CFLAGS) $(CPPFLAGS)
COMPILE  = $(CC) $(WARN) $(CFLAGS) $(CPPFLAGS_ALL)
# The program is optimised as a whole where the compiler can do so and leave
# objects that any other one can use (a seventh of the instructions of a log's
# line). `make LTO=` does without. Asked once, when it is needed first.
LTO = $(eval LTO := $(shell echo 'int main(void) { return 0; }' | \
      $(CC) -flto=auto -ffat-lto-objects -Werror -x c -o /dev/null - \
      2>/dev/null && echo -flto=auto -ffat-lto-objects))$(LTO)
DEPEND   = -MMD -MP -MF $@.d -MT $@
# A plain `make test` uses what the machine has; an own -j is left alone.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell \
       getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
SUBMAKE = $(MAKE) --no-print-directory
# make V=1 shows the commands themselves.
Q = $(if $(V),,@echo '  $(1) $@';)

stage_src = $(sort $(wildcard src/$(1)/*.c src/$(1)/*/*.c))
stage_obj = $(patsubst src/%.c,$(BUILD)/$(2)/%.o,$(call stage_src,$(1)))
LIB_STAGES := $(filter-out cli,$(STAGES))
LIB_OBJ := $(foreach s,$(LIB_STAGES),$(call stage_obj,$(s),obj))
CLI_OBJ := $(call stage_obj,cli,obj)
SAN_LIB := $(foreach s,$(LIB_STAGES),$(call stage_obj,$(s),san))
SAN_CLI := $(call stage_obj,cli,san)
FUZ_LIB := $(foreach s,$(LIB_STAGES),$(call stage_obj,$(s),fuz))
GEN     := $(BUILD)/gen/migrations.h $(BUILD)/gen/formats.h
MAN     := $(sort $(wildcard man/*.[1-8]))

.PHONY: all programs
all: deps-check
	@$(SUBMAKE) $(JOBS) programs
programs: $(BUILD)/aitrace $(BUILD)/libaitrace.a

.PHONY: help
help:
	@sed -n 's/^## //p' Makefile

## make               build build/aitrace and build/libaitrace.a
## make demo          install what is missing, build, run on the test data
## make test          install what is missing, run every test (sanitizers on)
## make unit T=NAME   one program of tests/unit
## make golden-accept show what golden outputs became, ask (T=PART: only those)
## make check-corpus  run the checkers of ../shared where it is present
## make bench         measure speed, memory, bytes stored
## make fuzz-smoke    each fuzz target for FUZZ_SECONDS (60)
## make lint          static checks (what is missing is skipped and named)
## make install       PREFIX (/usr/local), DESTDIR
## make uninstall     the same PREFIX and DESTDIR
## make clean         remove the build folder

# ---- dependencies -------------------------------------------------------
.PHONY: deps deps-check
deps:
	@CC="$(CC)" sh tests/deps.sh
deps-check:
	@CC="$(CC)" sh tests/deps.sh --check

# ---- generated: SQL migrations and log formats as byte arrays ------------
$(BUILD)/gen/migrations.h: $(sort $(wildcard schema/db/*.sql)) tests/embed.sh
	@mkdir -p $(@D)
	@sh tests/embed.sh ait_migration $(sort $(wildcard schema/db/*.sql)) > $@
$(BUILD)/gen/formats.h: $(sort $(wildcard schema/formats/*.json)) tests/embed.sh
	@mkdir -p $(@D)
	@sh tests/embed.sh ait_format_file $(sort $(wildcard schema/formats/*.json)) > $@

# Another compiler or other flags rebuild everything.
FLAGS := $(BUILD)/flags
.PHONY: FORCE
$(FLAGS): FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CFLAGS) $(CPPFLAGS) $(VERSION)' | cmp -s - $@ \
	    || echo '$(CC) $(CFLAGS) $(CPPFLAGS) $(VERSION)' > $@

# ---- program and library -------------------------------------------------
$(BUILD)/obj/%.o: src/%.c $(FLAGS) | $(GEN)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) $(LTO) $(DEPEND) -c $< -o $@
$(BUILD)/san/%.o: src/%.c $(FLAGS) | $(GEN)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) -O1 $(SAN) $(DEPEND) -c $< -o $@
$(BUILD)/fuz/%.o: src/%.c $(FLAGS) | $(GEN)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) -O1 $(SAN) -fsanitize=fuzzer-no-link $(DEPEND) -c $< -o $@
$(BUILD)/libaitrace.a: $(LIB_OBJ)
	@rm -f $@
	$(call Q,AR)ar rcs $@ $^
$(BUILD)/aitrace: $(CLI_OBJ) $(BUILD)/libaitrace.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) $^ $(PKG_LIBS) -o $@
$(BUILD)/san/aitrace: $(SAN_CLI) $(SAN_LIB)
	$(call Q,LD)$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) $^ $(PKG_LIBS) -o $@

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
	$$(call Q,CC)$$(COMPILE) -O1 $$(SAN) $$(DEPEND) -Itests $$< $$(filter %.o,$$^) $$(PKG_LIBS) -o $$@
endef
$(foreach u,$(UNIT),$(eval $(call unit_rule,$(u))))

# tests/tools/NAME.c: programs the check scripts call, over the whole library.
TOOLS := $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(sort $(wildcard \
         tests/tools/*.c)))
$(BUILD)/tools/%: tests/tools/%.c $(SAN_LIB)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) -O1 $(SAN) $(DEPEND) -Itests $< $(filter %.o,$^) $(PKG_LIBS) -o $@

# tests/fuzz/NAME.c: one target a parser. With main.c it replays files under
# any compiler; with clang's fuzzer it searches.
FUZZ := $(filter-out main,$(patsubst tests/fuzz/%.c,%,$(sort $(wildcard \
        tests/fuzz/*.c))))
REPLAY := $(FUZZ:%=$(BUILD)/fuzz/replay-%)
$(REPLAY): $(BUILD)/fuzz/replay-%: tests/fuzz/%.c tests/fuzz/main.c $(SAN_LIB)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) -O1 $(SAN) $(filter %.c %.o,$^) $(PKG_LIBS) -o $@
$(FUZZ:%=$(BUILD)/fuzz/search-%): $(BUILD)/fuzz/search-%: tests/fuzz/%.c $(FUZ_LIB)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) -O1 $(SAN) -fsanitize=fuzzer $(filter %.c %.o,$^) $(PKG_LIBS) -o $@

TEST_ENV = BUILD="$(BUILD)" CC="$(CC)" MAKE="$(MAKE)"
.PHONY: unit test test-build golden-accept tools
# make unit T=stream_sse: one unit test program, run
unit: $(if $(T),$(BUILD)/unit/$(T),$(UNIT))
	@for t in $^; do echo "# $$t"; $$t || exit 1; done
test: deps
	@$(SUBMAKE) $(JOBS) test-build
	@$(TEST_ENV) sh tests/run.sh
tools: $(TOOLS)
test-build: programs $(BUILD)/san/aitrace $(UNIT) $(TOOLS) $(REPLAY)
golden-accept: deps-check
	@$(SUBMAKE) $(JOBS) $(BUILD)/san/aitrace
	@ONLY='$(T)' $(TEST_ENV) sh tests/accept.sh

.PHONY: demo check-corpus bench lint fuzz-smoke replay-build search-build
demo: deps
	@$(SUBMAKE) $(JOBS) programs
	@AITRACE=$(BUILD)/aitrace sh tests/demo.sh $(BUILD)/demo.db
check-corpus: deps-check
	@$(SUBMAKE) -s $(JOBS) programs tools
	@$(TEST_ENV) sh tests/corpus.sh ../shared
bench: deps-check
	@$(SUBMAKE) $(JOBS) programs tools $(BUILD)/bench/gen $(BUILD)/bench/runner
	@$(TEST_ENV) sh tests/bench/bench.sh
$(BUILD)/bench/%: tests/bench/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) $< -lm -o $@
lint: export LINT_FLAGS = $(CPPFLAGS_ALL)
lint: deps-check
	@$(TEST_ENV) sh tests/lint.sh
fuzz-smoke: deps-check
	@FUZZ_SECONDS=$(FUZZ_SECONDS) $(TEST_ENV) sh tests/fuzz.sh
replay-build: $(REPLAY)
search-build: $(FUZZ:%=$(BUILD)/fuzz/search-%)

# ---- install ----------------------------------------------------------------
BIN := $(DESTDIR)$(PREFIX)/bin
LIB := $(DESTDIR)$(PREFIX)/lib
INC := $(DESTDIR)$(PREFIX)/include
SHARE := $(DESTDIR)$(PREFIX)/share
.PHONY: install uninstall clean
install: all
	mkdir -p $(BIN) $(LIB)/pkgconfig $(INC) $(SHARE)/aitrace/output \
	    $(SHARE)/aitrace/formats
	cp $(BUILD)/aitrace $(BIN)/aitrace
	chmod 755 $(BIN)/aitrace
	cp $(BUILD)/libaitrace.a $(LIB)/libaitrace.a
	cp include/aitrace.h $(INC)/aitrace.h
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	    src/aitrace.pc.in > $(LIB)/pkgconfig/aitrace.pc
	for m in $(MAN); do d=$(SHARE)/man/man$${m##*.}; mkdir -p $$d; \
	    cp $$m $$d/ || exit 1; done
	cp schema/output/*.json $(SHARE)/aitrace/output/
	for f in schema/formats/*.json; do [ ! -e $$f ] || \
	    cp $$f $(SHARE)/aitrace/formats/ || exit 1; done
uninstall:
	rm -f $(BIN)/aitrace $(LIB)/libaitrace.a $(INC)/aitrace.h \
	    $(LIB)/pkgconfig/aitrace.pc
	for m in $(MAN); do \
	    rm -f $(SHARE)/man/man$${m##*.}/$${m##*/}; done
	rm -rf $(SHARE)/aitrace
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
