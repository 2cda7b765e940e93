import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import type { Break, Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';

const PROVIDER_DIALECTS = ['openai-chat', 'anthropic-messages'] as const;
const harness = await createHarness();
for (const dialect of PROVIDER_DIALECTS)
  await ensureBuiltIn(harness.database.db, {
    name: `only-${dialect}`,
    dialect,
    baseUrl: `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: `only-${dialect}`, upstreamModel: null, facts: {}, prices: PRICES }],
  });
const api = await startTestApi({ db: harness.database.db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => harness.provider.reset());

interface Endpoint {
  path: string;
  dialect: string;
  body: object;
  terminator: string;
  /** Matches the last event of a broken stream. */
  errorEvent: RegExp;
  /** Every piece of text in a stream. */
  text: RegExp;
}

const messages = [{ role: 'user', content: 'Hi' }];
const ENDPOINTS: readonly Endpoint[] = [
  {
    path: '/chat/completions',
    dialect: 'openai-chat',
    body: { messages },
    terminator: 'data: [DONE]',
    errorEvent: /data: \{"error":\{[^\n]*"code":"[a-z_]+"[^\n]*\n\n$/,
    text: /"delta":\{[^{}]*"content":"([^"]*)"/g,
  },
  {
    path: '/messages',
    dialect: 'anthropic-messages',
    body: { messages, max_tokens: 64 },
    terminator: 'event: message_stop',
    errorEvent: /event: error\ndata: \{"type":"error"[^\n]*\n\n$/,
    text: /"type":"text_delta","text":"([^"]*)"/g,
  },
  {
    path: '/responses',
    dialect: 'openai-responses',
    body: { input: 'Hi' },
    terminator: 'event: response.completed',
    errorEvent: /event: (?:error|response\.failed)\ndata: [^\n]*\n\n$/,
    text: /"type":"response.output_text.delta"[^\n]*"delta":"([^"]*)"/g,
  },
];
const pairs = ENDPOINTS.flatMap((endpoint) =>
  PROVIDER_DIALECTS.filter((dialect) => dialect !== endpoint.dialect).map((provider) => ({
    path: endpoint.path,
    provider,
    endpoint,
  })),
);
const AT_ONCE = 8;

describe.each(pairs)('a stream of $provider, read through $path', ({ provider, endpoint }) => {
  async function read(script: Script): Promise<{ status: number; text: string }> {
    harness.provider.next({ answer: { words: 2 }, ...script });
    const body = { ...endpoint.body, model: `only-${provider}`, stream: true };
    const response = await post(api.baseUrl + endpoint.path, body, { secret: harness.secret });
    return { status: response.status, text: await response.text() };
  }

  const saidIn = (text: string) => [...text.matchAll(endpoint.text)].map(([, piece]) => piece).join('');

  /** The problem of a response whose provider disconnected; null: none. */
  function findProblem({ status, text }: { status: number; text: string }, said: string): string | null {
    if (status !== 200) return status >= 500 && text.includes('"error"') ? null : `status ${status}`;
    if (!said.startsWith(saidIn(text))) return 'text that the provider did not send';
    if (!text.includes(endpoint.terminator))
      return endpoint.errorEvent.test(text) ? null : 'no error at the end';
    if (endpoint.errorEvent.test(text)) return 'an error behind the terminator';
    return saidIn(text) === said ? null : 'the terminator without the whole';
  }

  it.each<[Break, number]>([
    ['close', 1],
    ['clean-end', 3],
    ['reset', 7],
  ])(
    'never looks complete, cut by %s at every byte (step %i)',
    async (cutBy, step) => {
      const whole = await read({});
      const record = harness.provider.requests.at(-1);
      await record?.finished;
      const said = saidIn(whole.text);
      expect(said).not.toBe('');
      expect(whole.text).toContain(endpoint.terminator);
      const bytes = record?.bytesSent ?? 0;
      const problems: string[] = [];
      for (let from = 0; from < bytes; from += AT_ONCE * step) {
        const offsets = Array.from({ length: AT_ONCE }, (_, at) => from + at * step).filter(
          (at) => at < bytes,
        );
        const seen = await Promise.all(offsets.map((cutAfterBytes) => read({ cutAfterBytes, cutBy })));
        for (const each of seen) {
          const problem = findProblem(each, said);
          if (problem !== null)
            problems.push(`${problem}, near ${from}: …${JSON.stringify(each.text.slice(-200))}`);
        }
      }
      expect(bytes).toBeGreaterThan(100);
      expect(problems.slice(0, 5)).toEqual([]);
    },
    60_000,
  );
});
