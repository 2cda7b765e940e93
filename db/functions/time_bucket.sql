-- The bucket of a time, from 1. The bounds are those of packages/core/src/requests/latency.ts.
CREATE OR REPLACE FUNCTION time_bucket(ms integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1 + width_bucket(ms, ARRAY[10, 15, 23, 34, 51, 77, 115, 173, 260, 391, 588, 884, 1329, 1998, 3003, 4514, 6784,
  10197, 15326, 23036, 34624, 52040, 78218, 117565, 176704, 265591, 399193, 600000]);
