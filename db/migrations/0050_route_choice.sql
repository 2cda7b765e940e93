-- Which requests belong together, and why each was sent to its route, for models with several routes.
ALTER TABLE requests ADD COLUMN session_hash bigint, ADD COLUMN route_choice text;
ALTER TYPE settlement ADD ATTRIBUTE session_hash bigint, ADD ATTRIBUTE route_choice text;
