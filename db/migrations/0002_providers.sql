-- What an operator sets of a provider: its preset, the parts of its address, how long it may take, how much at once.

ALTER TABLE providers
  -- The preset that says how to authenticate and what the provider takes; null: an address of the operator's own.
  ADD COLUMN preset text CHECK (preset ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  -- Region, project, resource: never a secret.
  ADD COLUMN settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
  -- null: the default.
  ADD COLUMN connect_timeout_ms integer CHECK (connect_timeout_ms BETWEEN 1 AND 300000),
  ADD COLUMN first_byte_timeout_ms integer CHECK (first_byte_timeout_ms BETWEEN 1 AND 3600000),
  ADD COLUMN idle_timeout_ms integer CHECK (idle_timeout_ms BETWEEN 1 AND 3600000),
  ADD COLUMN total_timeout_ms integer CHECK (total_timeout_ms BETWEEN 1 AND 86400000),
  -- null: no limit.
  ADD COLUMN max_concurrency integer CHECK (max_concurrency BETWEEN 1 AND 1000000);

-- The two providers that appear by themselves are presets from here on.
UPDATE providers SET preset = 'openai'
  WHERE dialect = 'openai-chat' AND base_url = 'https://api.openai.com/v1';
UPDATE providers SET preset = 'anthropic'
  WHERE dialect = 'anthropic-messages' AND base_url = 'https://api.anthropic.com/v1';
