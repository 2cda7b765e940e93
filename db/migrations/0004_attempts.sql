-- Which route served a request, and every try where it took more than one.
ALTER TABLE requests
  ADD COLUMN route_id text,
  ADD COLUMN attempts jsonb;
