import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { JsonObjectBytes } from './edit-members.ts';

/** As many unknown members as a request may have, nearly. */
const MEMBERS = 90;
const NAME_LENGTH = 10_000;

it('takes out members with long names that differ at their end, in the time of reading them', () => {
  const drops = Array.from({ length: MEMBERS }, (_, at) => `${'x'.repeat(NAME_LENGTH)}${10 + at}`);
  const members = Object.fromEntries(drops.map((name) => [name, 1]));
  const json = Buffer.from(JSON.stringify({ model: 'm', ...members, max_tokens: 1 }));
  const edit = () => new JsonObjectBytes(json).edit({ drops, changes: { model: '"n"' } });
  expect(String(edit())).toBe('{"model":"n","max_tokens":1}');
  const times = Array.from({ length: 5 }, () => threadTimeMs(edit));
  expect(Math.min(...times)).toBeLessThan(20);
});
