-- The decompressed sizes of stored responses: their memory is reserved before they are read.

ALTER TABLE stored_responses
  -- Rows stored before this migration get the limits.
  ADD COLUMN response_size integer NOT NULL DEFAULT 8388608 CHECK (response_size >= 0),
  ADD COLUMN input_size integer NOT NULL DEFAULT 33555456 CHECK (input_size >= 0);

ALTER TABLE stored_responses
  ALTER COLUMN response_size DROP DEFAULT,
  ALTER COLUMN input_size DROP DEFAULT;
