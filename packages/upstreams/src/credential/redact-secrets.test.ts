import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact-secrets.ts';

const ODD = 'zq9/odd+key="x"=1';
const base64 = (text: string) => Buffer.from(text).toString('base64');

const redact = createRedactor(
  ['opaque-credential-7', 'Bearer custom.header.value', 'v1', ODD],
  ['vllm', 'gw.acme.example:8443'],
);

describe('createRedactor on a provider’s text', () => {
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
    ['a percent-encoded credential', `GET /v1?k=${encodeURIComponent(ODD)} failed`, 'odd'],
    ['one encoded twice', `at ${encodeURIComponent(encodeURIComponent(ODD))}`, 'odd'],
    ['one escaped for JSON', `sent ${JSON.stringify(JSON.stringify({ k: ODD }))}`, 'odd'],
    ['one with escaped slashes', `sent ${ODD.replaceAll('/', String.raw`\/`)}`, 'odd'],
    [
      'one in Unicode escapes',
      `sent ${Array.from(ODD, (c) => `\\u00${c.codePointAt(0)?.toString(16)}`).join('')}`,
      '\\u007a',
    ],
    ['one escaped for HTML', `sent ${ODD.replaceAll('"', '&quot;')}`, 'odd'],
    ['one in capitals', 'token OPAQUE-CREDENTIAL-7 is invalid', 'OPAQUE'],
    ['one in base64', `got ${base64('opaque-credential-7')}`, base64('opaque-credential-7').slice(2, -4)],
    [
      'one in base64 with a user',
      `got ${base64('u:opaque-credential-7')}`,
      base64('u:opaque-credential-7').slice(4, -4),
    ],
    [
      'one in base64 with a name',
      `got ${base64('me:opaque-credential-7')}`,
      base64('me:opaque-credential-7').slice(6, -4),
    ],
    [
      'one in base64 for URLs',
      `got ${Buffer.from(`>>?${ODD}`).toString('base64url')}`,
      Buffer.from(ODD).toString('base64url').slice(0, 10),
    ],
    ['one in hexadecimal', `got ${Buffer.from('opaque-credential-7').toString('hex')}`, '6f7061717565'],
    ['a masked credential', 'Incorrect key opa**********al-7 given', 'al-7'],
    ['one masked with dots', 'Incorrect key opaque-...al-7 given', 'al-7'],
    ['its last characters', 'The key ending in al-7 is disabled', 'al-7'],
    ['a masked key of OpenAI', 'Incorrect API key provided: sk-proj-****abcd.', 'abcd'],
    ['a masked key with other dots', 'Incorrect API key provided: sk-proj-••••••abcd', 'abcd'],
    ['a scheme in any case', 'header bEARER abcdefghij was sent', 'abcdefghij'],
    ['an encoded scheme', 'header authorization%3A%20Bearer%20abcdefghij was sent', 'abcdefghij'],
    ['Basic credentials', 'sent Basic dXNlcjpwYXNzd29yZA== to it', 'dXNlcjpwYXNz'],
    ['an escaped echo', String.raw`{\"x-api-key\":\"qwertyuiop\"}`, 'qwertyuiop'],
    [
      'an organization of Anthropic',
      'anthropic-organization-id: 1f6c2e9a-aaaa-4bbb-8ccc-0123456789ab',
      '1f6c2e9a',
    ],
    [
      'one in a sentence',
      'This request would exceed your organization’s rate limit (org: 1f6c2e9a-aaaa-4bbb-8ccc-0123456789ab, model: x)',
      '1f6c2e9a',
    ],
    [
      'a subscription of Azure',
      '/subscriptions/1f6c2e9a-aaaa-4bbb-8ccc-0123456789ab/resourceGroups/rg-Prod1/x',
      '1f6c2e9a',
    ],
    ['an account of AWS', 'AWS account 123456789012 is not subscribed to model x', '123456789012'],
    ['an account in a sentence', 'Account 123456789012 has no access', '123456789012'],
    ['an account in groups', 'account ID: 1234-5678-9012 is suspended', '5678'],
    ['a quoted organization', 'organization "acme-corp" has been disabled', 'acme-corp'],
    ['a quoted organization of several words', "Team 'Acme Corp' is over its limit", 'Acme'],
    ['a quoted organization in JSON', String.raw`{\"m\":\"organization \\\"acme\\\" is off\"}`, 'acme'],
    ['an organization in the middle', 'Organization acme-corp-x1y2 must be verified', 'acme-corp'],
    ['an organization without digits', 'Your organization acme-corp has no access', 'acme-corp'],
    ['a team', 'Your team 8f3a has run out of credit', '8f3a'],
    ['a workspace', 'workspace named ws_alpha is archived', 'ws_alpha'],
    ['an email address', 'Ask billing@operator-company.com to top up', 'operator-company'],
    ['an encoded email address', 'user=billing%40operator.co.uk', 'operator'],
    ['a key of Replicate', 'Token r8_Abcdefghijklmnopqrstuvwxyz123456 is invalid', 'Abcdefgh'],
    ['a key of Databricks', `Token dapi${'0123456789abcdef'.repeat(2)} is invalid`, '0123456789abcdef'],
    ['a key of Cerebras', 'Wrong API key: csk-abcdefghijklmnopqrstuvwx', 'abcdefgh'],
    ['a project number of Google', 'API has not been used in project 123456789012 before', '123456789012'],
    ['its consumer', "Quota exceeded for consumer 'project_number:123456789012'", '123456789012'],
    ['a service account', 'gw-1@acme-prod.iam.gserviceaccount.com lacks permission', 'acme-prod'],
    ['a private address', 'Post "http://10.2.3.4:8000/v1/chat": dial tcp 10.2.3.4:8000: refused', '10.2.3.4'],
    ['another private address', 'connect ECONNREFUSED 172.20.0.5:443', '172.20'],
    ['a private address of IPv6', 'dial tcp [fd12:3456::7]:443: refused', '3456'],
    ['the local host', 'upstream localhost:11434 refused', '11434'],
    ['an internal name', 'no such host llm-gw.prod.svc.cluster.local:80', 'llm-gw'],
    ['an internal name in a URL', String.raw`at http:\/\/llm:8000\/v1\/chat`, 'llm:8000'],
    ['a URL with a password', 'via https://me:hunter22@proxy.example/v1', 'hunter22'],
    [
      'the base URL of a provider',
      'POST https://gw.acme.example:8443/tenant-a/v1/chat?key=abc 502',
      'tenant-a',
    ],
    ['only its host', 'gw.acme.example:8443/tenant-a did not answer', 'acme'],
    [
      'a key in a query',
      'GET https://generativelanguage.googleapis.com/v1/m?alt=sse&key=qwerty123',
      'qwerty123',
    ],
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
    'tool_call_id: 1f6c2e9a-aaaa-4bbb-8ccc-0123456789ab has no result',
    'See https://platform.openai.com/docs/guides/rate-limits for more, or https://docs.anthropic.com/en/api/errors...',
    'image at https://example.com/a.png could not be loaded (10.5 MB, 1.2.3.4)',
    'Model not found: accounts/fireworks/models/llama',
    'Your organization must be verified to use the model `gpt-5`. It can take 15 minutes.',
    'This organization has been disabled. Contact the team or the project owner.',
    'Your organization rate-limit is 30000 tokens per minute; team 5 of 20, account 42.',
    'An organization-wide limit; the project read-only mode; the workspace is not-found',
    'User @name wrote to a model@20250929 with dapi and r8_model',
  ])('keeps what a caller needs: %s', (text) => expect(redact(text)).toBe(text));
});

describe('createRedactor on a part of a credential', () => {
  const secret = 'Zx81mKq0PfLw93TtYb7VhNc2RsJd5AgUeXo4Ii6MvCkHnBpWzQyErDlGaSuFjO8T';
  const spaced = 'Zq9+/kLm01PqRsTuVwXyZ==ab';
  const redactPart = createRedactor([secret, spaced, 'application/json', 'prompt-caching-feature']);

  it.each([12, 13, 20, 32, 40, 63])('removes %i characters of its start or its end', (length) => {
    const [start, end] = [secret.slice(0, length), secret.slice(-length)];
    for (const text of [
      `Invalid token: ${start}...`,
      `Invalid token: ${start}…`,
      `prefix ${start}`,
      `${start}***`,
      `"${start.toLowerCase()}"`,
      `Invalid token: ...${end}`,
      `Invalid token: …${end}.`,
      `It ends ${end}`,
      `${start}…${end}`,
      `${start} ${end}`,
    ]) {
      const redacted = redactPart(text);
      for (let at = 0; at + 5 <= secret.length; at += 1)
        expect(redacted.toLowerCase()).not.toContain(secret.slice(at, at + 5).toLowerCase());
      expect(redacted).toContain('[redacted]');
    }
  });

  it('removes a part with characters of base64', () => {
    expect(redactPart(`key ${spaced.slice(0, 20)} and`)).toBe('key [redacted] and');
    expect(redactPart(`key ${spaced.slice(-20)} and`)).toBe('key [redacted] and');
  });

  it.each([
    'application/xml is not supported, text/json is',
    'prompt-caching is off; the feature is a caching-feature',
    'Zx81mKq0PfL is too short',
  ])('keeps words that a value shares: %s', (text) => expect(redactPart(text)).toBe(text));
});

describe('createRedactor on a caller’s text that a provider repeats', () => {
  it.each([
    'project:',
    'project',
    'projects id ',
    '\\',
    '-',
    '.',
    '*',
    '…',
    ':',
    '\n',
    'team ',
    'a@a.',
    'a.b@',
    '1234-1234-1234-',
  ])('takes little time for 128 Ki characters of %j in several strings', (piece) => {
    const detail = Array.from({ length: 16 }, () => piece.repeat(8_000 / piece.length));
    const redactOne = createRedactor(['sk-live-Abc123Def456Ghi789', 'another-secret-of-the-operator']);
    const redactAll = () => detail.forEach((text) => redactOne(text));
    const times = Array.from({ length: 7 }, () => threadTimeMs(redactAll));
    // 25 ms at most on an idle machine; most took 160 to 500 ms before.
    expect(Math.min(...times)).toBeLessThan(150);
  });

  it.each([
    'a',
    '-',
    '\\',
    '1',
    '*',
    '.',
    '…',
    'a-',
    'eyJ-',
    '*a',
    '&a',
    'a.',
    '%25',
    '"authorization\\\\',
    'user-',
    '@a',
    '10.',
  ])('is redacted fast if it repeats %j', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    // Linear patterns need 1 % of this limit; quadratic ones took seconds for 5 % of the text.
    expect(threadTimeMs(() => redact(`${text} opaque-credential-7`))).toBeLessThan(500);
  });

  it('removes the rest of a credential that the cut divides', () => {
    for (let before = 7_900; before < 8_200; before += 1) {
      const redacted = redact(
        `${'word '.repeat(before / 5)}${'x'.repeat(before % 5)} opaque-credential-7 ${'y '.repeat(500)}`,
      );
      expect(redacted).not.toContain('opaque');
      expect(redacted.length).toBeLessThan(8_300);
    }
  });

  it('removes the rest of a longer token that the cut divides', () => {
    const token = `eyJ${'a'.repeat(500)}.${'b'.repeat(1_000)}.${'c'.repeat(55)}`;
    for (const before of [6_500, 7_000, 7_500, 7_990]) {
      const redacted = redact(`${'word '.repeat(before / 5)}${token} ${'y '.repeat(2_000)}`);
      expect(redacted).not.toContain('eyJ');
      expect(redacted.length).toBeGreaterThan(before - 300);
    }
  });

  it('removes the rest of an escaped credential that the cut divides', () => {
    const escaped = Array.from('opaque-credential-7', (c) => `\\\\u00${c.codePointAt(0)?.toString(16)}`);
    for (let before = 7_800; before < 8_200; before += 5)
      expect(redact(`${'word '.repeat(before / 5)}${escaped.join('')} ${'y '.repeat(500)}`)).not.toContain(
        'u006f',
      );
  });
});
