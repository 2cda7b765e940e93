-- Who people are at the providers that they may sign in with.

CREATE TABLE identities (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL CHECK (provider IN ('github', 'google', 'oidc')),
  -- Subjects are unique at one issuer alone; another one may be set up later.
  issuer text NOT NULL,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  -- The address that the provider named last, for display.
  email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  UNIQUE (issuer, subject)
);
CREATE UNIQUE INDEX identities_user ON identities (user_id, issuer);

ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_purpose_check;
ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_purpose_check
  CHECK (purpose IN ('verify_email', 'change_email', 'reset_password', 'operator_setup', 'link_identity'));
