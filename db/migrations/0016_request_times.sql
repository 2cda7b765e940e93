-- How long requests took: where the time of each went, and how the times of many are spread.

-- Each is null where it is not known: of what came to no provider, and of requests from before.
ALTER TABLE requests
  -- Until it was admitted: its body was read, its key, its model and its limits were looked at.
  ADD COLUMN queue_ms integer,
  -- How long it waited for its hold and nothing else; 0: the provider took longer.
  ADD COLUMN hold_ms integer,
  -- Until the connection to the provider that was asked last was there; 0: it was kept from an earlier request.
  ADD COLUMN connect_ms integer;

-- What the console lists, the newest first. Of two that began in the same moment the ids decide, which needs no index.
CREATE INDEX requests_account ON requests (account_id, started_at);
CREATE INDEX requests_key ON requests (key_id, started_at);

-- The place of a time, from 1, between the bounds of packages/core/src/latency.ts.
CREATE FUNCTION time_bucket(ms integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1 + width_bucket(ms, ARRAY[10, 15, 23, 34, 51, 77, 115, 173, 260, 391, 588, 884, 1329, 1998, 3003, 4514, 6784,
  10197, 15326, 23036, 34624, 52040, 78218, 117565, 176704, 265591, 399193, 600000]);

-- Counts a time that is known; a `change` of -1 takes it out again.
CREATE FUNCTION count_time(counts integer[], ms integer, change integer) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  bucket integer;
BEGIN
  IF ms IS NOT NULL THEN
    bucket := time_bucket(ms);
    counts[bucket] := counts[bucket] + change;
  END IF;
  RETURN counts;
END $$;

CREATE FUNCTION add_counts(counts integer[], others integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  FOR bucket IN 1 .. cardinality(others) LOOP
    IF others[bucket] <> 0 THEN
      counts[bucket] := counts[bucket] + others[bucket];
    END IF;
  END LOOP;
  RETURN counts;
END $$;

-- count_times(ms, 1): how many times lie in each bucket.
CREATE AGGREGATE count_times(integer, integer) (
  SFUNC = count_time, STYPE = integer[], COMBINEFUNC = add_counts, PARALLEL = SAFE,
  INITCOND = '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'
);
