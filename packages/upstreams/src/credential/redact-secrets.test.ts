import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact-secrets.ts';

const redact = createRedactor(['opaque-credential-7', 'Bearer custom.header.value', 'v1']);

describe('a redacted text of a provider', () => {
  it.each([
    ['a credential of the gateway', 'The key opaque-credential-7 has expired', 'opaque-credential-7'],
    ['a header value without its scheme', 'token custom.header.value is invalid', 'custom.header.value'],
    ['a key that is not known', 'Incorrect API key provided: sk-proj-abc123DEF456.', 'abc123'],
    ['a masked key', 'Incorrect API key provided: in***ey.', 'in***ey'],
    ['an organization', 'Rate limit reached for gpt-4 in organization org-Abc123Def on tokens', 'Abc123Def'],
    ['a project', 'Project `proj_AbC123456` does not have access to model', 'AbC123456'],
    ['an echoed header', 'Request: {"Authorization": "Bearer abcdefghij", "host": "x"}', 'abcdefghij'],
    ['another echoed header', 'headers: x-api-key: qwertyuiop\n', 'qwertyuiop'],
    ['an AWS identity', 'User: arn:aws:iam::123456789012:user/gateway is not authorized', '123456789012'],
    ['a Google project', 'Permission denied on projects/acme-prod-1/locations/us', 'acme-prod-1'],
    ['a Google key', 'API key AIzaSyA1234567890abcdef not valid', 'AIzaSyA1234567890'],
    ['a token', 'expired eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'eyJzdWIiOiJhIn0'],
  ])('does not contain %s', (_what, text, secret) => {
    const redacted = redact(text);
    expect(redacted).not.toContain(secret);
    expect(redacted).toContain('[redacted]');
  });

  it.each([
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'prompt is too long: 200016 tokens > 200000 maximum',
    'tools.0.custom.input_schema.type: Field required (user_message, team_name, api key)',
    'The model `gpt-4.1-nano` does not exist or you do not have access to it.',
    'messages.0: **bold** text of v1 is fine',
  ])('keeps what a caller needs: %s', (text) => expect(redact(text)).toBe(text));
});
