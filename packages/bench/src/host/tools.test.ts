import { expect, it } from 'vitest';
import { findTools } from './tools.ts';

it('finds programs on the path, or says in one line what to install', () => {
  let message = '';
  try {
    expect(findTools(process.env['PATH'] ?? '').taskset).toMatch(/taskset$/);
  } catch (error) {
    message = String(error);
  }
  if (message !== '') expect(message).toMatch(/needs [a-z, ]+: apt-get install [a-z -]+$/);
});

it('names the packages of what is missing', () => {
  expect(() => findTools('/nonexistent-folder')).toThrow(/needs .*wrk.*: apt-get install wrk .*util-linux/);
});
