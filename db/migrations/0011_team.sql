-- Invitations to an account, one owner for each account, and an audit log that can be searched.

CREATE TABLE invitations (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- Who has proven this address may accept, nobody else.
  email text NOT NULL CHECK (email = lower(email)),
  -- Nobody is invited as an owner: an account is handed over by its owner.
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  -- Of the link that was mailed last: a new mail ends the link before it.
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  invited_by text REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  accepted_by text REFERENCES users ON DELETE SET NULL,
  withdrawn_at timestamptz,
  CHECK (accepted_at IS NULL OR withdrawn_at IS NULL)
);
CREATE UNIQUE INDEX invitations_one_open ON invitations (account_id, email)
  WHERE accepted_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX invitations_account ON invitations (account_id, created_at DESC);

-- Receipts, alerts and the operator's lists count on it.
CREATE UNIQUE INDEX memberships_one_owner ON memberships (account_id) WHERE role = 'owner';

-- Whoever lost a role or got one must not go on with what their page was given before.
CREATE FUNCTION notify_membership_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
CREATE TRIGGER memberships_notify AFTER INSERT OR UPDATE OR DELETE ON memberships
  FOR EACH ROW EXECUTE FUNCTION notify_membership_change();

-- The audit log of an account, page by page: of everybody, of one person, of one kind of action.
DROP INDEX audit_log_account;
CREATE INDEX audit_log_account ON audit_log (account_id, at DESC, id DESC);
CREATE INDEX audit_log_account_actor ON audit_log (account_id, actor_user_id, at DESC, id DESC);
CREATE INDEX audit_log_account_action ON audit_log (account_id, action, at DESC, id DESC);
