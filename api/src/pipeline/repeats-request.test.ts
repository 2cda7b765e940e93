import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { repeatsRequest } from './repeats-request.ts';

const PROMPT = 'Où est "le café" de\nmon voisin Étienne?';
const body = Buffer.from(
  JSON.stringify({ model: 'some-model', messages: [{ role: 'user', content: PROMPT }] }),
);
const repeats = (message: string, sent = body) =>
  repeatsRequest(message, { body: sent, names: ['some-model'] });

describe('repeatsRequest', () => {
  it.each([
    `Refused: ${PROMPT}`,
    'Refused: OÙ EST LE CAFÉ DE MON VOISIN',
    `Refused: ${JSON.stringify(JSON.stringify(PROMPT))}`,
    "Refused because of 'Étienne'",
  ])('finds text of the request in %j', (message) => {
    expect(repeats(message)).toBe(true);
  });

  it('finds text that the caller has escaped', () => {
    const escaped = body.toString('utf8').replaceAll(/[^\0-\u007f]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    expect(repeats('Refused because of `Étienne`', Buffer.from(escaped))).toBe(true);
  });

  it.each(['Your API key has expired.', "The key has no access to 'some-model'.", 'Insufficient balance'])(
    'finds none in %j',
    (message) => {
      expect(repeats(message)).toBe(false);
    },
  );

  it('searches a body of backslashes in linear time', () => {
    const content = '\\'.repeat(20_000);
    const started = performance.now();
    expect(repeats('Your API key has expired.', Buffer.from(JSON.stringify({ content })))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('does not search a very large body', () => {
    expect(repeats('Your API key has expired.', Buffer.alloc(2 * 1024 * 1024, 'x'))).toBeNull();
  });
});
