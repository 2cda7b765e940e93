import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { checkDisk, checkFileHandles } from './machine-health.ts';

it('reports the free disk space, and unknown for a missing folder', async () => {
  expect(await checkDisk(tmpdir())).toMatchObject({ detail: expect.stringMatching(/\d+\.\d GiB free$/) });
  expect(await checkDisk('/no/such/folder')).toMatchObject({ state: 'unknown' });
});

it.skipIf(process.platform !== 'linux')('reports the file handles in use (Linux only)', async () => {
  expect(await checkFileHandles()).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^ok: \d+ of \d+ in use$/),
  });
});
