import { loadRecordings, type RecordedCase } from '@tollgate/testing/recordings';
import { afterAll, describe, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

/** Matches refusals about the operator's account whose status is not 401, 402 or 403. */
const ACCOUNT_TROUBLE = /insufficient_quota|Incorrect API key/;

const refusals = loadRecordings().cases.filter(({ status }) => status >= 400);
const gateway = await startGateway({ models: [MODEL] });
afterAll(() => gateway[Symbol.asyncDispose]());

interface RefusalBody {
  error: Record<string, unknown>;
  request_id?: string;
}

async function replay({ dialect, status, responseBody, responseHeaders }: RecordedCase) {
  const { provider, baseUrl, secret } = gateway;
  provider.reset();
  const contentType = responseHeaders['content-type'] ?? 'application/json';
  provider.always({ replay: { body: responseBody, status, contentType } });
  const isOpenai = dialect === 'openai-chat';
  const response = await fetch(`${baseUrl}${isOpenai ? '/chat/completions' : '/messages'}`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: MODEL, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return { response, body: (await response.json()) as RefusalBody };
}

function isAboutAccount({ status, responseBody }: RecordedCase): boolean {
  return status === 401 || status === 402 || status === 403 || ACCOUNT_TROUBLE.test(String(responseBody));
}

/** The provider's message, wherever it is. */
function messageIn(recorded: RecordedCase): string {
  const body = JSON.parse(recorded.responseBody.toString());
  return body.error?.message ?? body.message;
}

describe('a recorded refusal', () => {
  it.each(refusals.filter(isAboutAccount))(
    "$name becomes upstream_misconfigured, without the provider's message",
    async (recorded) => {
      const { response, body } = await replay(recorded);
      expect(response.status).toBe(502);
      expect(body).toMatchObject(
        recorded.dialect === 'openai-chat'
          ? { error: { type: 'server_error', code: 'upstream_misconfigured' } }
          : { type: 'error', error: { type: 'api_error' } },
      );
      expect(body.error.message).toMatch(
        /^The (?:provider of this model rejected Tollgate's credentials|gateway's account at the provider of this model has no credit)\. Contact the gateway's operator\.$/,
      );
    },
  );

  it.each(refusals.filter((recorded) => !isAboutAccount(recorded)))(
    "$name keeps its status and its message, as an error in the caller's dialect",
    async (recorded) => {
      const { response, body } = await replay(recorded);
      expect(response.status).toBe(recorded.status);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(body.error.message).toContain(messageIn(recorded).replace(/org-\w+/, '[redacted]'));
      expect(body.error.type).toEqual(expect.any(String));
      expect(Object.keys(body).toSorted()).toEqual(
        recorded.dialect === 'openai-chat' ? ['error'] : ['error', 'request_id', 'type'],
      );
      if (recorded.dialect === 'openai-chat')
        expect(Object.keys(body.error)).toEqual(expect.arrayContaining(['message', 'type', 'param', 'code']));
      else expect(body.request_id).toBe(response.headers.get('request-id'));
    },
  );
});
