-- Models that requests go to when the routes of the requested model fail.

CREATE TABLE model_fallbacks (
  model_id text NOT NULL REFERENCES models ON DELETE CASCADE,
  fallback_id text NOT NULL REFERENCES models ON DELETE CASCADE,
  -- The lowest is tried first.
  position integer NOT NULL CHECK (position >= 0),
  classes text[] NOT NULL
    CHECK (cardinality(classes) > 0 AND classes <@ ARRAY['failure', 'overload', 'context', 'policy']),
  PRIMARY KEY (model_id, fallback_id),
  UNIQUE (model_id, position),
  CHECK (model_id <> fallback_id)
);
CREATE INDEX model_fallbacks_fallback ON model_fallbacks (fallback_id);
CREATE TRIGGER model_fallbacks_change AFTER INSERT OR UPDATE OR DELETE ON model_fallbacks
  FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_change();

-- The model that the caller named, if a fallback model was tried; null: the same as model.
ALTER TABLE requests ADD COLUMN requested_model text;
ALTER TYPE settlement ADD ATTRIBUTE requested_model text;
