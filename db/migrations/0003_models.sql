-- What a model is called, what it can do and when it goes; prices that rise with the length of the input.

ALTER TABLE models
  ADD COLUMN title text CHECK (length(title) BETWEEN 1 AND 200),
  ADD COLUMN capabilities text[] NOT NULL DEFAULT '{}',
  ADD COLUMN retires_at timestamptz;

-- The long prices hold for a whole request whose input, cached tokens included, is longer than above_input_tokens.
ALTER TABLE model_prices
  ADD COLUMN above_input_tokens integer CHECK (above_input_tokens > 0),
  ADD COLUMN long_input_nano_usd_per_mtok bigint,
  ADD COLUMN long_output_nano_usd_per_mtok bigint,
  ADD COLUMN long_cache_read_nano_usd_per_mtok bigint CHECK (long_cache_read_nano_usd_per_mtok >= 0),
  ADD COLUMN long_cache_write_nano_usd_per_mtok bigint CHECK (long_cache_write_nano_usd_per_mtok >= 0),
  ADD CONSTRAINT model_prices_long_is_whole CHECK (
    (above_input_tokens IS NULL) = (long_input_nano_usd_per_mtok IS NULL)
    AND (above_input_tokens IS NULL) = (long_output_nano_usd_per_mtok IS NULL)
    AND (above_input_tokens IS NOT NULL
      OR (long_cache_read_nano_usd_per_mtok IS NULL AND long_cache_write_nano_usd_per_mtok IS NULL))
  ),
  -- More tokens never cost less: an upper bound of the tokens is an upper bound of the cost.
  ADD CONSTRAINT model_prices_long_is_dearer CHECK (
    long_input_nano_usd_per_mtok >= input_nano_usd_per_mtok
    AND long_output_nano_usd_per_mtok >= output_nano_usd_per_mtok
    AND coalesce(long_cache_read_nano_usd_per_mtok, long_input_nano_usd_per_mtok)
      >= coalesce(cache_read_nano_usd_per_mtok, input_nano_usd_per_mtok)
    AND coalesce(long_cache_write_nano_usd_per_mtok, long_input_nano_usd_per_mtok)
      >= coalesce(cache_write_nano_usd_per_mtok, input_nano_usd_per_mtok)
  );
