-- The name that the caller gave to its session. Requests without one are not in the index.
ALTER TABLE requests ADD COLUMN session text;
ALTER TYPE settlement ADD ATTRIBUTE session text;
ALTER TYPE hold ADD ATTRIBUTE session text;
CREATE INDEX requests_session ON requests (account_id, session, started_at) WHERE session IS NOT NULL;
