-- Adds two lists of counts by `time_bucket`.
CREATE OR REPLACE FUNCTION add_counts(counts integer[], others integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  FOR bucket IN 1 .. cardinality(others) LOOP
    IF others[bucket] <> 0 THEN
      counts[bucket] := counts[bucket] + others[bucket];
    END IF;
  END LOOP;
  RETURN counts;
END $$;
