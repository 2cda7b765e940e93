-- Providers may speak the Responses API.
ALTER TABLE providers DROP CONSTRAINT providers_dialect_check;
ALTER TABLE providers ADD CONSTRAINT providers_dialect_check
  CHECK (dialect IN ('openai-chat', 'anthropic-messages', 'openai-responses', 'demo'));
