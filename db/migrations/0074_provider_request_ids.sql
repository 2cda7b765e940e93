-- The IDs that providers gave to requests. An index of requests would be written with each settlement, so the job that sums
-- requests copies them to a table.
ALTER TABLE requests ADD COLUMN provider_request_id text;
ALTER TYPE settlement ADD ATTRIBUTE provider_request_id text;
ALTER TABLE unsummed_requests ADD COLUMN request_id text, ADD COLUMN provider_request_id text;
CREATE TABLE provider_request_ids (
  provider_request_id text NOT NULL,
  request_id text NOT NULL,
  started_at timestamptz NOT NULL,
  PRIMARY KEY (provider_request_id, request_id)
);
