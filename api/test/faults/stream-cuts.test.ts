import type { Break } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway } from '../gateway-fixture.ts';
import { STREAM_REQUEST, getStreamEndpoints } from './stream-endpoints.ts';

const RUNTIMES = ['node', 'web'] as const;
const gateways = { node: await startGateway(), web: await startGateway({ runtime: 'web' }) };
afterAll(async () => {
  for (const runtime of RUNTIMES) await gateways[runtime][Symbol.asyncDispose]();
});
beforeEach(() => {
  for (const runtime of RUNTIMES) gateways[runtime].provider.reset();
});

const answer = { words: 2 };
const AT_ONCE = 8;
const harnesses = RUNTIMES.flatMap((runtime) =>
  getStreamEndpoints(gateways[runtime]).map((endpoint) => ({ runtime, dialect: endpoint.dialect, endpoint })),
);

describe.each(harnesses)(
  'on $runtime, a stream of $dialect that was interrupted',
  ({ runtime, endpoint }) => {
    const { baseUrl, provider } = gateways[runtime];
    const step = (bytes: number) => Number(process.env.STREAM_CUT_STEP ?? bytes);

    async function read(script: { cutAfterBytes?: number; cutBy?: Break }) {
      provider.next({ answer, ...script });
      const response = await fetch(baseUrl + endpoint.path, {
        method: 'POST',
        headers: { ...endpoint.headers, 'content-type': 'application/json' },
        body: JSON.stringify(STREAM_REQUEST),
      });
      return { status: response.status, text: await response.text() };
    }

    /** The expected stream, and how many bytes the provider needs for it. */
    async function readWhole() {
      const { text } = await read({});
      const record = provider.requests.at(-1);
      await record?.finished;
      return { text, bytes: record?.bytesSent ?? 0 };
    }

    it.each<[Break, number]>([
      ['close', step(runtime === 'node' ? 1 : 11)],
      ['reset', step(7)],
      ['clean-end', step(runtime === 'node' ? 3 : 11)],
    ])('never looks complete, cut by %s at every byte (step %i)', async (cutBy, every) => {
      const whole = await readWhole();
      const offsets: number[] = [];
      for (let at = 0; at < whole.bytes; at += every) offsets.push(at);
      const problems: string[] = [];
      for (let from = 0; from < offsets.length; from += AT_ONCE) {
        // The order of cuts does not matter: all are tried, and each is judged by its bytes.
        const batch = offsets.slice(from, from + AT_ONCE);
        const seen = await Promise.all(batch.map((cutAfterBytes) => read({ cutAfterBytes, cutBy })));
        for (const { status, text } of seen) {
          const problem = findProblem({ status, text, whole: whole.text, cutBy });
          if (problem !== null)
            problems.push(`${problem}, near ${batch[0]}: …${JSON.stringify(text.slice(-150))}`);
        }
      }
      expect(offsets.length).toBeGreaterThan(50);
      expect(problems.slice(0, 5)).toEqual([]);
    });

    /** The problem of a response whose provider disconnected; null: none. */
    function findProblem(seen: { status: number; text: string; whole: string; cutBy: Break }): string | null {
      const { status, text, whole, cutBy } = seen;
      if (status !== 200) return isErrorBody(text) && status >= 500 ? null : `status ${status}`;
      if (whole.startsWith(text) && endpoint.wholeEnd.test(text)) return null;
      // Some providers send no terminator: an orderly end after the finish reason counts, and the terminator is added.
      const shown = text.replace(/data: \[DONE\]\n\n$/, '');
      if (cutBy === 'clean-end' && shown.includes(endpoint.ending) && whole.startsWith(shown)) return null;
      if (text.includes(endpoint.terminator)) return 'the terminator without the whole';
      if (!endpoint.errorEvent.test(text)) return 'no error event at the end';
      const relayed = text.replace(endpoint.errorEvent, (_match, gap: string) => gap);
      if (!whole.startsWith(relayed)) return 'something else than the start of the stream';
      return relayed === '' || relayed.endsWith('\n\n') ? null : 'half an event before the error';
    }

    it('makes the SDK throw wherever it breaks', async () => {
      const whole = await readWhole();
      const lastEventBytes = 60;
      const silent: number[] = [];
      for (let at = 0; at < whole.bytes - lastEventBytes; at += 53) {
        provider.next({ answer, cutAfterBytes: at });
        const error: unknown = await endpoint.readWithSdk().then(
          () => null,
          (reason: unknown) => reason,
        );
        if (!(error instanceof Error)) silent.push(at);
      }
      expect(silent).toEqual([]);
    });

    it('is refused with an error of the dialect if it breaks before its headers', async () => {
      provider.next({ cutBeforeHeaders: true });
      await expect(endpoint.readWithSdk()).rejects.toMatchObject({ status: 502 });
    });

    it.each([
      ['garbage', { garbage: 400 }],
      ['an HTML page', { replay: { body: '<html>Bad gateway</html>', contentType: 'text/html' } }],
      ['an empty body', { replay: { body: '' } }],
    ])('never treats %s as a stream', async (_name, script) => {
      provider.next(script);
      await expect(endpoint.readWithSdk()).rejects.toBeInstanceOf(Error);
    });

    it('cancels the provider call when the caller disconnects', async () => {
      provider.next({ answer: { words: 500 }, intervalMs: 20 });
      const leaving = new AbortController();
      const response = await fetch(baseUrl + endpoint.path, {
        method: 'POST',
        headers: { ...endpoint.headers, 'content-type': 'application/json' },
        body: JSON.stringify(STREAM_REQUEST),
        signal: leaving.signal,
      });
      await response.body?.getReader().read();
      const leftAtMs = performance.now();
      leaving.abort();
      const [record] = provider.requests;
      await record?.finished;
      expect(record?.outcome).toBe('aborted');
      expect(Number(record?.abortedAtMs) - leftAtMs).toBeLessThan(500);
    });
  },
);

function isErrorBody(text: string): boolean {
  const body: unknown = JSON.parse(text);
  return typeof body === 'object' && body !== null && 'error' in body;
}
