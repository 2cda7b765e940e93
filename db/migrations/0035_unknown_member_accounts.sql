-- The account that sent the member first: each has a share of the members that are kept for a provider.
-- NULL: stored by an earlier release.
ALTER TABLE unknown_members ADD COLUMN account_id text;
