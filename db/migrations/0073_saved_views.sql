-- Filters of the request log that people save under a name.
CREATE TABLE saved_views (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Only this person sees it; null: all members of the account.
  owner_id text REFERENCES users (id) ON DELETE CASCADE,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  filter jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (account_id, coalesce(owner_id, ''), lower(name));
