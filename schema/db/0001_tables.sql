-- aitrace database: the private tables. Read the views instead
-- (`aitrace schema` prints them); tables may change from version to version.
--
-- Times are integers in nanoseconds; what did not happen is NULL, never 0.
-- Texts that repeat are numbers of raw_text. Rows that belong to a request
-- are numbered (request << 20) + their place, so that a range of row numbers
-- finds them without an index.

-- Words of the program's own lists; the numbers are those of its tables.
CREATE TABLE raw_word (
    kind TEXT NOT NULL,
    id   INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

INSERT INTO raw_word (kind, id, name) VALUES
    ('vantage', 0, 'gateway'), ('vantage', 1, 'proxy'),
    ('vantage', 2, 'server'), ('vantage', 3, 'client'),
    ('vantage', 4, 'wire'),
    ('origin', 0, 'gateway_receipt'), ('origin', 1, 'request_send'),
    ('origin', 2, 'first_record'), ('origin', 3, 'relay_start'),
    ('origin', 4, 'upstream_start'), ('origin', 5, 'span_start'),
    ('origin', 6, 'engine_arrival'), ('origin', 7, 'vendor_edge'),
    ('origin', 8, 'engine'), ('origin', 9, 'local'),
    ('boundary', 0, 'headers'), ('boundary', 1, 'first_body_chunk'),
    ('boundary', 2, 'first_sse_event'), ('boundary', 3, 'first_token'),
    ('boundary', 4, 'first_text'), ('boundary', 5, 'body_end'),
    ('boundary', 6, 'handler_end'), ('boundary', 7, 'phase_end'),
    ('quality', 0, 'ok'), ('quality', 1, 'coarse'),
    ('quality', 2, 'suspect'), ('quality', 3, 'estimated'),
    ('outcome', 0, 'complete'), ('outcome', 1, 'rate_limited'),
    ('outcome', 2, 'error'), ('outcome', 3, 'cancelled'),
    ('outcome', 4, 'timeout'), ('outcome', 5, 'incomplete'),
    ('outcome', 6, 'truncated_capture'), ('outcome', 7, 'unknown'),
    ('rule', 0, 'rate_limited'), ('rule', 1, 'upstream_error'),
    ('rule', 2, 'client_cancelled'), ('rule', 3, 'incomplete_stream'),
    ('rule', 4, 'reasoning_exhausted_budget'),
    ('rule', 5, 'no_visible_text'), ('rule', 6, 'headers_slow'),
    ('rule', 7, 'first_response_slow'),
    ('rule', 8, 'event_before_response'),
    ('rule', 9, 'action_before_text'), ('rule', 10, 'slow_decode'),
    ('rule', 11, 'local_overhead'), ('rule', 12, 'stream_stalled'),
    ('rule', 13, 'bursty_delivery'), ('rule', 14, 'buffered_delivery'),
    ('rule', 15, 'retried'), ('rule', 16, 'none'),
    ('rate_is', 0, 'exact'), ('rate_is', 1, 'upper_bound'),
    ('rate_is', 2, 'lower_bound'), ('rate_is', 3, 'reported'),
    ('tokens_source', 0, 'usage'), ('tokens_source', 1, 'log'),
    ('window_end', 0, 'final_response'), ('window_end', 1, 'upstream_done'),
    ('window_end', 2, 'total_handler');

-- Texts that repeat: models, channels, file names, names of issues …
CREATE TABLE raw_text (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;

-- What many requests have in common. Not unique: an import looks among its
-- own rows only.
CREATE TABLE raw_common (
    row INTEGER PRIMARY KEY,
    -- texts, by raw_text
    model            INTEGER,
    provider         INTEGER,
    group_name       INTEGER,
    channel          INTEGER,
    route            INTEGER,
    region           INTEGER,
    endpoint         INTEGER,
    dialect          INTEGER,
    finish_reason    INTEGER,
    error_code       INTEGER,
    reasoning_effort INTEGER,
    format           INTEGER,
    file             INTEGER,
    -- numbers
    status           INTEGER,
    retries          INTEGER,
    resolution       INTEGER,
    temperature      INTEGER,       -- millionths
    top_p            INTEGER,       -- millionths
    tools            INTEGER,
    seen             INTEGER        -- bits: what is known of the body
) STRICT;

-- One row a request. What most questions ask for stands first.
--
-- facts holds small numbers, each at its place: facts >> place & mask. Where
-- it may be absent 0 says so, and a value is one more than itself.
--   place mask
--       0   31  further rows in 1 raw_attempt, 2 raw_measure, 4 raw_issue,
--               8 raw_id, 16 raw_gap
--       5   15  origin (raw_word)
--       9    7  vantage (raw_word)
--      12   15  outcome (raw_word)
--      16    3  stream, 0 or 1; may be absent
--      18    3  asked_stream, 0 or 1: the parameter; may be absent
--      20    3  tokens_source (raw_word); may be absent
--      22    1  tokens are estimated
--      23    3  window_end (raw_word); may be absent
--      25    7  visible_is (raw_word rate_is); may be absent
--      28   31  primary (raw_word rule); may be absent
--      33       attempts
CREATE TABLE raw_request (
    row                 INTEGER PRIMARY KEY,
    facts               INTEGER NOT NULL,
    common              INTEGER NOT NULL, -- raw_common
    time                INTEGER,  -- since 1970, UTC
    -- timing fields, by their origin (aitrace-metrics(7))
    auth                INTEGER,
    distribution        INTEGER,
    body_read           INTEGER,
    upstream_start      INTEGER,
    upstream_headers    INTEGER,
    first_sse_event     INTEGER,
    first_response      INTEGER,
    first_text_delta    INTEGER,
    first_nonblank_text INTEGER,
    final_response      INTEGER,
    upstream_done       INTEGER,
    total_handler       INTEGER,
    longest_gap         INTEGER,  -- silence between events …
    longest_gap_at      INTEGER,  -- … and when it began
    -- what the analysis said when the request came in
    visible_output_tps  INTEGER,  -- thousandths of tokens a second
    itl                 INTEGER,
    output_tps          INTEGER,  -- thousandths
    findings            INTEGER,  -- bits of the rules that fired by their limit,
                                  -- << 24 of those by their share
    -- numbers
    line                INTEGER,
    inflight            INTEGER,
    max_tokens          INTEGER,
    prompt_tokens       INTEGER,
    cached_tokens       INTEGER,
    output_tokens       INTEGER,
    reasoning_tokens    INTEGER,
    visible_tokens      INTEGER,
    retry_wait          INTEGER,
    reported_tps        INTEGER,  -- the log's own rate, thousandths
    sse_events          INTEGER,
    request_id          TEXT,
    stats               BLOB,     -- further counters, packed
    points              BLOB      -- milestones that the timing fields
                                  -- cannot tell (clock was set, retries)
) STRICT;

-- The open ends: a later file may hold the rest of these requests.
CREATE INDEX raw_open ON raw_request (time) WHERE facts >> 12 & 15 = 6;

-- Finds a request by one of its ids (24 bits of the id's hash lead the key)
-- and a record that is there already (the whole key), or, by the name that
-- its source has for it, was there before in another state.
CREATE TABLE raw_key (
    key     INTEGER PRIMARY KEY,
    request INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- All ids of a request that has others than the one shown.
CREATE TABLE raw_id (
    row INTEGER PRIMARY KEY,
    id  TEXT NOT NULL
) STRICT;

-- Attempts that say more than their request does.
CREATE TABLE raw_attempt (
    row           INTEGER PRIMARY KEY,
    number        INTEGER NOT NULL,
    serving       INTEGER NOT NULL,
    upstream      INTEGER,          -- raw_text
    channel       INTEGER,          -- raw_text
    error_code    INTEGER,          -- raw_text
    status        INTEGER,
    outcome       INTEGER,          -- raw_word
    start         INTEGER,
    done          INTEGER,
    headers       INTEGER,
    retry_after   INTEGER,
    wait_before   INTEGER,
    timeline_base INTEGER,
    timeline      BLOB              -- classes, lengths and times of events
) STRICT;

-- Measures: a figure, and what kind of figure it is.
CREATE TABLE raw_measure_kind (
    id           INTEGER PRIMARY KEY,
    name         TEXT NOT NULL,
    source_field TEXT,
    resolution   INTEGER,
    origin       INTEGER NOT NULL,
    boundary     INTEGER NOT NULL,
    quality      INTEGER NOT NULL
) STRICT;
CREATE TABLE raw_measure (
    row   INTEGER PRIMARY KEY,
    kind  INTEGER NOT NULL REFERENCES raw_measure_kind (id),
    value INTEGER
) STRICT;

-- Issues of requests.
CREATE TABLE raw_issue (
    row   INTEGER PRIMARY KEY,
    issue INTEGER NOT NULL REFERENCES raw_text (id),
    count INTEGER NOT NULL
) STRICT;

-- Gaps of requests whose milestones are in raw_request.points. The place in
-- the row number is: 0 headers to event, 1 event to response, 2 response to
-- text, 3 visible window, 4 before and 5 after the upstream.
CREATE TABLE raw_gap (
    row INTEGER PRIMARY KEY,
    ns  INTEGER NOT NULL
) STRICT;

-- Imports that changed something, and the issues of their files.
CREATE TABLE raw_import (
    row      INTEGER PRIMARY KEY,
    file     INTEGER NOT NULL REFERENCES raw_text (id),
    format   INTEGER REFERENCES raw_text (id),
    new      INTEGER NOT NULL,
    present  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    events   INTEGER NOT NULL
) STRICT;
CREATE TABLE raw_import_issue (
    row   INTEGER PRIMARY KEY,
    issue INTEGER NOT NULL REFERENCES raw_text (id),
    count INTEGER NOT NULL,
    lines TEXT                      -- the first ones, "17 20 31"
) STRICT;
