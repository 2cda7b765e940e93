-- Patterns of model IDs that a provider serves, with the prices of the catalogue.

CREATE TABLE route_patterns (
  id text PRIMARY KEY,
  provider_id text NOT NULL REFERENCES providers ON DELETE CASCADE,
  pattern text NOT NULL CHECK (pattern ~ '^[^[:space:],*]+\*$'),
  -- The beginning of the pattern that the provider's names lack; empty: they are the same.
  strip text NOT NULL DEFAULT '' CHECK (starts_with(pattern, strip) AND strpos(strip, '*') = 0),
  priority integer NOT NULL DEFAULT 0,
  weight integer NOT NULL DEFAULT 1 CHECK (weight > 0),
  -- Models that it has added: one that an operator removed does not come back.
  known_models text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, pattern)
);
ALTER TABLE routes ADD COLUMN pattern_id text REFERENCES route_patterns ON DELETE CASCADE;
-- True: a pattern has added it, and it is removed with its last route.
ALTER TABLE models ADD COLUMN from_pattern boolean NOT NULL DEFAULT false;
