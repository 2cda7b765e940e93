-- Responses that run in the background. A row exists while its response runs, so it ends once: with its last part, by its
-- cancellation, or because its replica is gone.

CREATE TABLE background_responses (
  account_id text NOT NULL,
  response_id text NOT NULL,
  -- The process that runs it.
  replica_id text NOT NULL,
  started_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, response_id),
  FOREIGN KEY (account_id, response_id) REFERENCES stored_responses ON DELETE CASCADE
);
