-- What was asked and answered, word for word, of those accounts that want it kept.

ALTER TABLE accounts
  -- null: nothing is kept.
  ADD COLUMN body_retention_days integer CHECK (body_retention_days BETWEEN 1 AND 30),
  -- What began before is neither taken nor shown.
  ADD COLUMN bodies_kept_since timestamptz,
  ADD CONSTRAINT accounts_bodies_check CHECK ((body_retention_days IS NULL) = (bodies_kept_since IS NULL));

CREATE TABLE request_bodies (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  request_id text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Deflated, then under AES-256-GCM with the request's place.
  request_sealed bytea NOT NULL,
  -- Of the whole, as it came.
  request_bytes integer NOT NULL CHECK (request_bytes >= 0),
  request_truncated boolean NOT NULL,
  -- null: the caller was given nothing.
  answer_sealed bytea,
  answer_bytes integer NOT NULL CHECK (answer_bytes >= 0),
  answer_truncated boolean NOT NULL,
  PRIMARY KEY (account_id, request_id)
);
-- Retention is the account's and may change: what is too old is one stretch of this index.
CREATE INDEX request_bodies_age ON request_bodies (account_id, started_at);
-- Sealed bytes cannot be compressed any further.
ALTER TABLE request_bodies
  ALTER COLUMN request_sealed SET STORAGE EXTERNAL,
  ALTER COLUMN answer_sealed SET STORAGE EXTERNAL;
