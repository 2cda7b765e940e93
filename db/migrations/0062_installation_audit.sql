-- The audit log of the installation: what operators and the command line did.
CREATE INDEX audit_log_installation ON audit_log (at DESC, id DESC)
  WHERE actor_user_id IS NULL OR (account_id IS NULL AND split_part(action, '.', 1) <> 'user');
CREATE INDEX audit_log_actor ON audit_log (actor_user_id, at DESC, id DESC);
