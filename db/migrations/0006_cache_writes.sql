-- Cache writes that live for an hour cost more than those of five minutes; null: they cost as much.
ALTER TABLE model_prices
  ADD COLUMN cache_write_1h_nano_usd_per_mtok bigint CHECK (cache_write_1h_nano_usd_per_mtok >= 0),
  ADD COLUMN long_cache_write_1h_nano_usd_per_mtok bigint CHECK (long_cache_write_1h_nano_usd_per_mtok >= 0),
  ADD CONSTRAINT model_prices_long_cache_write_1h CHECK (
    (above_input_tokens IS NOT NULL OR long_cache_write_1h_nano_usd_per_mtok IS NULL)
    AND coalesce(long_cache_write_1h_nano_usd_per_mtok, long_cache_write_nano_usd_per_mtok, long_input_nano_usd_per_mtok)
      >= coalesce(cache_write_1h_nano_usd_per_mtok, cache_write_nano_usd_per_mtok, input_nano_usd_per_mtok)
  );
