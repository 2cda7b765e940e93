-- The scope of a key is fixed. Revocation and replacement happen once and are final.
-- A new column of a key is part of its scope unless it is named here: the list is of what may change.
--   tags         for finding keys only
--   created_by   becomes null when its user is deleted
--   revoked_at, ends_at   from null to a time, once
--   search_text  generated from the name and the prefix
CREATE OR REPLACE FUNCTION refuse_scope_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changeable CONSTANT text[] := ARRAY['tags', 'created_by', 'revoked_at', 'ends_at', 'search_text'];
BEGIN
  IF to_jsonb(NEW) - changeable IS DISTINCT FROM to_jsonb(OLD) - changeable THEN
    RAISE EXCEPTION 'the scope of an API key cannot be changed' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked API key stays revoked' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.ends_at IS NOT NULL AND NEW.ends_at IS DISTINCT FROM OLD.ends_at THEN
    RAISE EXCEPTION 'the end of a replaced API key cannot be changed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
