import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { checkDisk, checkFileHandles } from './machine-health.ts';

it('says how much of the disk is free, and that a missing folder is unknown', async () => {
  expect(await checkDisk(tmpdir())).toMatchObject({ detail: expect.stringMatching(/\d+\.\d GiB free$/) });
  expect(await checkDisk('/no/such/folder')).toMatchObject({ state: 'unknown' });
});

it.skipIf(process.platform !== 'linux')('says how many file handles are in use (Linux only)', async () => {
  expect(await checkFileHandles()).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^ok: \d+ of \d+ in use$/),
  });
});
