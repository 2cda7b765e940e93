-- When a second route is started for a stream without content; null: never.
ALTER TABLE models ADD COLUMN hedge_after_ms integer CHECK (hedge_after_ms >= 100);
