-- How a person wants the console to look, on every device.
ALTER TABLE users
  ADD COLUMN theme text CHECK (theme IN ('light', 'dark', 'system')),
  ADD COLUMN time_zone text CHECK (length(time_zone) BETWEEN 1 AND 64),
  ADD COLUMN money_precision text NOT NULL DEFAULT 'rounded' CHECK (money_precision IN ('rounded', 'exact'));
