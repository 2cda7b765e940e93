import { createServer } from 'node:http';
import { answerRequest, type FakeProviderOptions } from './answer-request.ts';
import { createScriptBook, type Match, type Script, type ScriptWriter } from './script.ts';
import type { ServedRequest } from './served-request.ts';

export interface FakeProvider extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`; the dialects are under `/v1`. */
  origin: string;
  /** All requests with a complete body, in order of arrival. */
  requests: readonly ServedRequest[];
  /** For the next matching request without an earlier `next`; single-use. */
  next(script: Script, match?: Match): void;
  /** For all matching requests without a `next`; the newest wins. */
  always(script: Script | ScriptWriter, match?: Match): void;
  /** Clears scripts and records; requests in flight continue. */
  reset(): void;
  /** The next request with a complete body after this call. */
  nextRequest(): Promise<ServedRequest>;
  close(): Promise<void>;
}

/**
 * A model provider of both dialects on a separate port, with token counting and embeddings: a real HTTP server that
 * responds deterministically, fails as scripted, and records what it sent. `await using provider = …` closes it.
 */
export async function createFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const book = createScriptBook();
  const closing = new AbortController();
  const requests: ServedRequest[] = [];
  let waiting: ((record: ServedRequest) => void)[] = [];
  const note = (record: ServedRequest) => {
    requests.push(record);
    const notified = waiting;
    waiting = [];
    for (const notify of notified) notify(record);
  };

  const server = createServer((incoming, response) => {
    const over = Promise.withResolvers<undefined>();
    const finished: Promise<void> = over.promise;
    const work = answerRequest({
      incoming,
      response,
      book,
      options,
      note,
      finished,
      closing: closing.signal,
    });
    // A bug in the fake must fail the test run, so no error is caught here.
    void work.finally(() => over.resolve(undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake provider has no port');

  const close = async () => {
    closing.abort();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    next: (script, match) => book.next(script, match),
    always: (script, match) => book.always(script, match),
    reset() {
      book.reset();
      requests.length = 0;
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
