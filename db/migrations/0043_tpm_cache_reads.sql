-- Whether the tokens per minute of a plan and of its keys count input that a provider read from its cache. NULL: as the
-- model's maker counts it, so not for Claude models.
ALTER TABLE plans ADD COLUMN counts_cache_reads boolean;
