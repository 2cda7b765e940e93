-- How often routes that have not answered a request for that long get a small one; null: never.
ALTER TABLE models ADD COLUMN health_check_interval_s integer CHECK (health_check_interval_s BETWEEN 10 AND 86400);

-- Health checks of the api by route and hour, and what they cost; no account pays for them.
CREATE TABLE health_checks (
  route_id text NOT NULL,
  model text NOT NULL,
  hour timestamptz NOT NULL,
  provider text NOT NULL,
  checks bigint NOT NULL,
  failures bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  last_checked_at timestamptz NOT NULL,
  -- One word, such as status_503; null: the route answered.
  last_error text,
  PRIMARY KEY (route_id, model, hour)
);
CREATE INDEX health_checks_by_hour ON health_checks (hour);
