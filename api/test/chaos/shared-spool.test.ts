import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnApi } from '@tollgate/testing/spawn-api';
import { afterAll, expect, it } from 'vitest';
import { createHarness } from '../gateway-fixture.ts';

const harness = await createHarness();
const dataDir = mkdtempSync(path.join(tmpdir(), 'shared-spool-'));
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

const start = () => spawnApi({ databaseUrl: harness.database.url, dataDir });

it('a second api process on the same DATA_DIR is refused, and can start there right after a kill -9', async () => {
  await using first = await start();
  const refused: unknown = await start().catch((error: unknown) => error);
  expect(String(refused)).toMatch(/spool is in use by another process \(pid \d+ on .+\)/);
  expect(String(refused)).toContain('Give each api process its own DATA_DIR');
  expect((await fetch(first.baseUrl.replace('/v1', '/readyz'))).status).toBe(200);
  await first.kill();
  await using second = await start();
  expect((await fetch(second.baseUrl.replace('/v1', '/readyz'))).status).toBe(200);
});
