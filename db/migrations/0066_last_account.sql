-- The account that a person opened last: it opens on every device.
ALTER TABLE users ADD COLUMN last_account_id text REFERENCES accounts ON DELETE SET NULL;
