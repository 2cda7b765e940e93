-- Counts a time, if it is known; a `change` of -1 removes it again.
CREATE OR REPLACE FUNCTION count_time(counts integer[], ms integer, change integer) RETURNS integer[]
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
