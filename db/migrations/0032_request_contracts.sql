-- Members, tools and beta features that an operator forwards to a provider although its request contract does not know
-- them, or rejects them.
ALTER TABLE providers
  ADD COLUMN allowed_members text[] NOT NULL DEFAULT '{}' CHECK (cardinality(allowed_members) <= 200);

-- Whether members that no contract knows are forwarded; NULL: only if the plan charges no money.
ALTER TABLE plans ADD COLUMN forwards_unknown boolean;

-- Members that no contract knows, as they arrived, by the client that sent them.
CREATE TABLE unknown_members (
  provider text NOT NULL,
  member text NOT NULL CHECK (length(member) BETWEEN 1 AND 100),
  client text NOT NULL CHECK (length(client) BETWEEN 1 AND 40),
  requests bigint NOT NULL CHECK (requests > 0),
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (provider, member, client)
);

-- When operators were last notified of answers that were not what was priced, by route: once until it is quiet again.
CREATE TABLE price_mismatch_alerts (
  route_id text PRIMARY KEY,
  notified_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);

CREATE INDEX requests_price_mismatch ON requests (started_at) WHERE price_mismatch IS NOT NULL;
