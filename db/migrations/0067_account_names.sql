-- Whether an account has a name of its own. Until then it shows its owner's email, and its owner is asked once.
ALTER TABLE accounts ADD COLUMN is_named boolean NOT NULL DEFAULT false;
UPDATE accounts SET is_named = true
  WHERE NOT EXISTS (
    SELECT FROM memberships JOIN users ON users.id = memberships.user_id
    WHERE memberships.account_id = accounts.id AND memberships.role = 'owner' AND users.email = accounts.name);
