-- The models that the provider listed in the last test that passed: suggestions for the upstream models of routes.
ALTER TABLE providers ADD COLUMN model_ids text[] NOT NULL DEFAULT '{}';
