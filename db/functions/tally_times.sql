-- The same as count_times(ms, 1), of a list: an aggregate that calls a function for each row takes twice as long.
CREATE OR REPLACE FUNCTION tally_times(times integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  counts integer[] := array_fill(0, ARRAY[29]);
  ms integer;
  bucket integer;
BEGIN
  FOREACH ms IN ARRAY times LOOP
    IF ms IS NOT NULL THEN
      bucket := time_bucket(ms);
      counts[bucket] := counts[bucket] + 1;
    END IF;
  END LOOP;
  RETURN counts;
END $$;
