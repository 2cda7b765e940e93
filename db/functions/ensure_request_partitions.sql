-- Creates the monthly partitions of requests, from last month to `months_ahead` months from now.
CREATE OR REPLACE FUNCTION ensure_request_partitions(months_ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tollgate request partitions'));
  FOR offset_months IN -1 .. months_ahead LOOP
    month := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => offset_months)) AT TIME ZONE 'UTC';
    EXECUTE format(
      'CREATE TABLE IF NOT EXISTS %I PARTITION OF requests FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 30)',
      'requests_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'),
      month, ((month AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
  END LOOP;
END $$;
