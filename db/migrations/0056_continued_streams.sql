-- Whether a stream of a model that breaks off is continued by another attempt.

ALTER TABLE models ADD COLUMN continue_streams boolean NOT NULL DEFAULT false;
