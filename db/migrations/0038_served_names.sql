-- Other names under which the provider of a route reports its model in responses, entered by operators.
ALTER TABLE routes ADD COLUMN served_names text[] NOT NULL DEFAULT '{}';
