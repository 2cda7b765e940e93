-- Proves under which ENCRYPTION_KEY the sealed values of this database are, without revealing it.
CREATE TABLE encryption_key_check (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- HMAC-SHA256 of a constant under the key.
  value bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now()
);
