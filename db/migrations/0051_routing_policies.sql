-- How the requests of a model are routed while a provider is slow or refuses, and how much input a route takes.

ALTER TABLE models
  -- null: the default for its class.
  ADD COLUMN first_token_timeout_ms integer CHECK (first_token_timeout_ms > 0),
  -- null: the default; 0: another route is tried immediately.
  ADD COLUMN retry_budget_ms integer CHECK (retry_budget_ms >= 0),
  ADD COLUMN content_policy_failover boolean NOT NULL DEFAULT false;

-- null: that of the model.
ALTER TABLE routes ADD COLUMN context_tokens integer CHECK (context_tokens > 0);
