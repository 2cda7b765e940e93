import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('abort-streams.fixture.ts', import.meta.url));
/** https://www.rfc-editor.org/rfc/rfc9113#section-7 */
const CANCEL = 8;

/** Another process: an endless loop in Node's native code could not be stopped. */
async function abortStreams(...argv: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...argv], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  return JSON.parse(stdout);
}

describe('an aborted HTTP/2 call', () => {
  it.each([
    ['before the response', '2', 'reads'],
    ['at the start', '2', 'ignores'],
    ['inside the response', '2', 'ignores'],
    ['after the start', '2', 'ignores'],
    ['before the response', '4000000', 'reads'],
    ['before the response', '4000000', 'ignores'],
    ['after the start', '4000000', 'reads'],
  ])('is cancelled %s, with a body of %s bytes that the server %s', { timeout: 70_000 }, async (...argv) => {
    expect(await abortStreams(...argv)).toEqual({ open: 0, codes: [CANCEL] });
  });
});
