-- aitrace database: the public views, for anyone's SQL.
--
-- Every time is in milliseconds, with at most three decimals. What did not
-- happen, or what the recording cannot know, is NULL; it is never 0. Names
-- are those of the JSON trace object; `"group"` and `"primary"` are words of
-- SQL and want their double quotes. No view holds any content of a request
-- or an answer. aitrace-metrics(7) says what each figure means.
--
-- Percentiles over several origins compare what does not compare: keep
-- `origin` in the WHERE or GROUP BY.

-- One row a request. `row` is its number, as in the other views.
CREATE VIEW request AS
SELECT
    r.row AS row,
    r.request_id AS request_id,
    -- the start, UTC (its end where the issue time_is_end says so)
    strftime('%Y-%m-%dT%H:%M:%S',
             (r.time - (r.time % 1000000000 + 1000000000) % 1000000000)
             / 1000000000, 'unixepoch')
        || '.' || substr('00000' || (r.time % 1000000000 + 1000000000)
                         % 1000000000 / 1000, -6) || 'Z' AS time,
    r.time AS time_ns,
    -- where it was read
    (SELECT text FROM raw_text WHERE id = c.file) AS file,
    (SELECT text FROM raw_text WHERE id = c.format) AS format,
    r.line AS line,
    -- where the recording was made, and what its times count from
    (SELECT name FROM raw_word
     WHERE kind = 'vantage' AND id = r.facts >> 9 & 7) AS vantage,
    (SELECT name FROM raw_word
     WHERE kind = 'origin' AND id = r.facts >> 5 & 15) AS origin,
    -- what was asked
    (SELECT text FROM raw_text WHERE id = c.endpoint) AS endpoint,
    (SELECT text FROM raw_text WHERE id = c.dialect) AS dialect,
    (SELECT text FROM raw_text WHERE id = c.model) AS model,
    (SELECT text FROM raw_text WHERE id = c.provider) AS provider,
    (SELECT text FROM raw_text WHERE id = c.group_name) AS "group",
    (SELECT text FROM raw_text WHERE id = c.channel) AS channel,
    (SELECT text FROM raw_text WHERE id = c.route) AS route,
    (SELECT text FROM raw_text WHERE id = c.region) AS region,
    nullif(r.facts >> 18 & 3, 0) - 1 AS asked_stream,
    r.max_tokens AS max_tokens,
    (SELECT text FROM raw_text WHERE id = c.reasoning_effort)
        AS reasoning_effort,
    c.temperature / 1000000.0 AS temperature,
    c.top_p / 1000000.0 AS top_p,
    c.tools AS tools,
    r.inflight AS inflight,
    -- what came
    nullif(r.facts >> 16 & 3, 0) - 1 AS stream,
    c.status AS status,
    (SELECT name FROM raw_word
     WHERE kind = 'outcome' AND id = r.facts >> 12 & 15) AS outcome,
    (SELECT text FROM raw_text WHERE id = c.finish_reason)
        AS finish_reason,
    (SELECT text FROM raw_text WHERE id = c.error_code) AS error_code,
    -- timing fields; upstream_headers_ms counts from the upstream's start,
    -- the local phases from their own, all others from the origin
    (r.auth + 500) / 1000 / 1000.0 AS auth_ms,
    (r.distribution + 500) / 1000 / 1000.0 AS distribution_ms,
    (r.body_read + 500) / 1000 / 1000.0 AS body_read_ms,
    (r.upstream_start + 500) / 1000 / 1000.0 AS upstream_start_ms,
    (r.upstream_headers + 500) / 1000 / 1000.0 AS upstream_headers_ms,
    (r.first_sse_event + 500) / 1000 / 1000.0 AS first_sse_event_ms,
    (r.first_response + 500) / 1000 / 1000.0 AS first_response_ms,
    (r.first_text_delta + 500) / 1000 / 1000.0 AS first_text_delta_ms,
    (r.first_nonblank_text + 500) / 1000 / 1000.0
        AS first_nonblank_text_ms,
    (r.final_response + 500) / 1000 / 1000.0 AS final_response_ms,
    (r.upstream_done + 500) / 1000 / 1000.0 AS upstream_done_ms,
    (r.total_handler + 500) / 1000 / 1000.0 AS total_handler_ms,
    (c.resolution + 500) / 1000 / 1000.0 AS resolution_ms,
    -- gaps between two milestones
    (CASE WHEN r.facts & 16
          THEN (SELECT ns FROM raw_gap WHERE row = r.row << 20)
          WHEN r.upstream_start + r.upstream_headers <= r.first_sse_event
          THEN r.first_sse_event - r.upstream_start - r.upstream_headers
     END + 500) / 1000 / 1000.0 AS headers_to_event_ms,
    (CASE WHEN r.facts & 16
          THEN (SELECT ns FROM raw_gap WHERE row = (r.row << 20) + 1)
          WHEN r.first_sse_event <= r.first_response
          THEN r.first_response - r.first_sse_event
     END + 500) / 1000 / 1000.0 AS event_to_response_ms,
    (CASE WHEN r.facts & 16
          THEN (SELECT ns FROM raw_gap WHERE row = (r.row << 20) + 2)
          WHEN r.first_response <= r.first_text_delta
          THEN r.first_text_delta - r.first_response
     END + 500) / 1000 / 1000.0 AS response_to_text_ms,
    (CASE WHEN r.facts & 16
          THEN (SELECT ns FROM raw_gap WHERE row = (r.row << 20) + 3)
          WHEN r.first_text_delta <= r.final_response
          THEN r.final_response - r.first_text_delta
     END + 500) / 1000 / 1000.0 AS visible_window_ms,
    (CASE WHEN r.facts & 16
          THEN (SELECT ns FROM raw_gap WHERE row = (r.row << 20) + 4)
          WHEN r.facts >> 5 & 15 = 0 AND r.facts >> 33 = 1
          THEN r.upstream_start
     END + 500) / 1000 / 1000.0 AS before_upstream_ms,
    (CASE WHEN r.facts & 16
          THEN (SELECT ns FROM raw_gap WHERE row = (r.row << 20) + 5)
          WHEN r.upstream_done <= r.total_handler
          THEN r.total_handler - r.upstream_done
     END + 500) / 1000 / 1000.0 AS after_upstream_ms,
    (r.longest_gap + 500) / 1000 / 1000.0 AS longest_gap_ms,
    (r.longest_gap_at + 500) / 1000 / 1000.0 AS longest_gap_at_ms,
    -- tokens, as reported; output_tokens holds the reasoning
    r.prompt_tokens AS prompt_tokens,
    r.cached_tokens AS cached_tokens,
    r.output_tokens AS output_tokens,
    r.reasoning_tokens AS reasoning_tokens,
    r.visible_tokens AS visible_tokens,
    (SELECT name FROM raw_word
     WHERE kind = 'tokens_source' AND id = (r.facts >> 20 & 3) - 1)
        AS tokens_source,
    r.facts >> 22 & 1 AS tokens_estimated,
    -- rates, in tokens a second; visible_output_tps_is says whether the
    -- figure is exact, a bound or the log's own
    r.visible_output_tps / 1000.0 AS visible_output_tps,
    (SELECT name FROM raw_word
     WHERE kind = 'rate_is' AND id = (r.facts >> 25 & 7) - 1)
        AS visible_output_tps_is,
    (r.itl + 500) / 1000 / 1000.0 AS itl_ms,
    r.output_tps / 1000.0 AS output_tps,
    (SELECT name FROM raw_word
     WHERE kind = 'window_end' AND id = (r.facts >> 23 & 3) - 1) AS window_end,
    r.sse_events AS sse_events,
    r.facts >> 33 AS attempts,
    c.retries AS retries,
    (r.retry_wait + 500) / 1000 / 1000.0 AS retry_wait_ms,
    -- the finding that explains most, "none" where there is none
    (SELECT name FROM raw_word
     WHERE kind = 'rule' AND id = (r.facts >> 28 & 31) - 1) AS "primary"
FROM raw_request r LEFT JOIN raw_common c ON c.row = r.common;

-- Attempts at an upstream, in their order. start_ms and done_ms count from
-- the request's origin, headers_ms from the attempt's own start.
CREATE VIEW attempt AS
SELECT
    a.row >> 20 AS request,
    a.number AS attempt,
    a.serving AS serving, -- 1: delivered the answer, or was the last
    (SELECT text FROM raw_text WHERE id = a.upstream) AS upstream,
    (SELECT text FROM raw_text WHERE id = a.channel) AS channel,
    (SELECT text FROM raw_text WHERE id = a.error_code) AS error_code,
    a.status AS status,
    (SELECT name FROM raw_word WHERE kind = 'outcome' AND id = a.outcome)
        AS outcome,
    (a.start + 500) / 1000 / 1000.0 AS start_ms,
    (a.headers + 500) / 1000 / 1000.0 AS headers_ms,
    (a.done + 500) / 1000 / 1000.0 AS done_ms,
    (a.retry_after + 500) / 1000 / 1000.0 AS retry_after_ms,
    (a.wait_before + 500) / 1000 / 1000.0 AS wait_before_ms
FROM raw_attempt a
UNION ALL
SELECT -- the only attempt of a request that says it all
    r.row, 1, 1, NULL,
    (SELECT text FROM raw_text WHERE id = c.channel),
    (SELECT text FROM raw_text WHERE id = c.error_code),
    c.status,
    (SELECT name FROM raw_word
     WHERE kind = 'outcome' AND id = r.facts >> 12 & 15),
    (r.upstream_start + 500) / 1000 / 1000.0,
    (r.upstream_headers + 500) / 1000 / 1000.0,
    (r.upstream_done + 500) / 1000 / 1000.0,
    NULL, NULL
FROM raw_request r LEFT JOIN raw_common c ON c.row = r.common
WHERE r.facts >> 33 = 1 AND NOT r.facts & 1;

-- Findings of each request, in the order of the rules. `by`: limit, or share
-- of the request's time. Figures and advice: aitrace diagnose.
CREATE VIEW finding AS
SELECT r.row AS request, w.id + 1 AS rule, w.name AS id,
       CASE WHEN r.findings >> w.id & 1 THEN 'limit' ELSE 'share' END AS by
FROM raw_request r
JOIN raw_word w ON w.kind = 'rule'
               AND (r.findings | (r.findings >> 24)) >> w.id & 1;

-- What is to be said about the data: of a request, or (request is NULL) of
-- a file, there with the first lines it happened on.
CREATE VIEW issue AS
SELECT i.row >> 20 AS request, NULL AS import,
       (SELECT text FROM raw_text WHERE id = i.issue) AS id,
       i.count AS count, NULL AS lines
FROM raw_issue i
UNION ALL
SELECT NULL, i.row >> 20,
       (SELECT text FROM raw_text WHERE id = i.issue), i.count, i.lines
FROM raw_import_issue i;

-- Imports that brought something, in their order.
CREATE VIEW import AS
SELECT m.row AS row,
       (SELECT text FROM raw_text WHERE id = m.file) AS file,
       (SELECT text FROM raw_text WHERE id = m.format) AS format,
       m.new AS new, m.present AS present, m.updated AS updated,
       m.attempts AS attempts, m.events AS events
FROM raw_import m;

-- Figures with another origin or boundary than the timing fields: they are
-- never to be mixed with them.
CREATE VIEW measure AS
SELECT m.row >> 20 AS request, k.name AS name,
       -- half away from zero, as everywhere
       (m.value + CASE WHEN m.value < 0 THEN -500 ELSE 500 END)
           / 1000 / 1000.0 AS value_ms,
       (k.resolution + 500) / 1000 / 1000.0 AS resolution_ms,
       (SELECT name FROM raw_word WHERE kind = 'origin' AND id = k.origin)
           AS origin,
       (SELECT name FROM raw_word
        WHERE kind = 'boundary' AND id = k.boundary) AS boundary,
       k.source_field AS source_field,
       (SELECT name FROM raw_word WHERE kind = 'quality' AND id = k.quality)
           AS quality
FROM raw_measure m JOIN raw_measure_kind k ON k.id = m.kind;
