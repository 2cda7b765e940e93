-- What guards a login beside its password: authenticator codes, recovery codes, passkeys, sessions that can be told apart.

ALTER TABLE users
  ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 80),
  -- Set: the person is gone. What is left of the row is a pseudonym for the books.
  ADD COLUMN deleted_at timestamptz;

ALTER TABLE sessions
  ADD COLUMN user_agent text CHECK (length(user_agent) <= 400),
  -- The network that it was last seen from; of IPv6 the /64.
  ADD COLUMN address text CHECK (length(address) <= 64),
  ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
  -- When its person last proved again that it is them.
  ADD COLUMN confirmed_at timestamptz;

CREATE TABLE totp_secrets (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Null: shown, and not yet proven by a code; no sign-in asks for it.
  confirmed_at timestamptz,
  -- The 30 seconds that the last code stood for: it and what came before it work no more.
  last_used_step bigint
);

CREATE TABLE recovery_codes (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  -- Of the authenticator; many count nothing and stay at 0.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- Sealed tickets that were used: each works once.
CREATE TABLE spent_tickets (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_tickets_expiry ON spent_tickets (expires_at);
