import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { buildOutline } from './build-outline.ts';

it('builds the program that the repository contains', { timeout: 60_000 }, async () => {
  const committed = await readFile(new URL('outline-bytes.gen.ts', import.meta.url), 'utf8');
  expect(await buildOutline()).toBe(committed);
});
