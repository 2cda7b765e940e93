-- The browsers that people have signed in with, so that they are told of one that is new; and what concerns a person's
-- own login, found by that person.

CREATE TABLE known_devices (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256 of what the browser's cookie holds.
  device bytea NOT NULL,
  user_agent text,
  -- The network that it last signed in from; of IPv6 the /64.
  address text,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, device)
);
CREATE INDEX known_devices_last_seen ON known_devices (last_seen_at);

CREATE INDEX audit_log_own_actor ON audit_log (actor_user_id, at DESC) WHERE account_id IS NULL;
CREATE INDEX audit_log_own_subject ON audit_log (subject, at DESC) WHERE account_id IS NULL;
