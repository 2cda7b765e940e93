-- Responses that an account stores in the gateway, so that later requests can continue them.

ALTER TABLE accounts
  -- null: nothing is stored.
  ADD COLUMN response_retention_days integer CHECK (response_retention_days BETWEEN 1 AND 90),
  -- Responses of requests that began before are neither stored nor shown.
  ADD COLUMN responses_kept_since timestamptz,
  ADD CONSTRAINT accounts_responses_check
    CHECK ((response_retention_days IS NULL) = (responses_kept_since IS NULL));

CREATE TABLE stored_responses (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Deflated, then encrypted with AES-256-GCM for this row.
  response_sealed bytea NOT NULL,
  -- The whole input of the request, with what it continued.
  input_sealed bytea NOT NULL,
  -- Of both columns.
  bytes integer NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (account_id, id)
);
-- For the retention of an account, and for its total of bytes.
CREATE INDEX stored_responses_age ON stored_responses (account_id, created_at) INCLUDE (bytes);

-- Sealed bytes cannot be compressed any further.
ALTER TABLE stored_responses
  ALTER COLUMN response_sealed SET STORAGE EXTERNAL,
  ALTER COLUMN input_sealed SET STORAGE EXTERNAL;
