-- What waits for somebody who signs in.
CREATE INDEX invitations_email ON invitations (email, created_at)
  WHERE accepted_at IS NULL AND withdrawn_at IS NULL;
