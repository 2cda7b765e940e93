import { existsSync } from 'node:fs';
import path from 'node:path';
import { openEmbedded } from '@tollgate/db/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnTollgate, type Tollgate } from './testing/run-tollgate.ts';
import { createDataDir, type DataDir } from './testing/data-dir.ts';

describe('the command line on an embedded database', () => {
  let dataDir: DataDir;
  let tollgate: Tollgate;
  beforeAll(() => {
    dataDir = createDataDir();
    tollgate = spawnTollgate({ DATA_DIR: dataDir.path, ENCRYPTION_KEY: '' });
  });
  afterAll(() => dataDir.remove());

  const isRunning = () => existsSync(path.join(dataDir.path, 'postgres/postmaster.pid'));

  it('only tells, by doctor, that there is none yet', async () => {
    const { code, stdout } = await tollgate('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warn {2}Database +none in .* yet: `npm start` makes it/m);
    expect(existsSync(path.join(dataDir.path, 'postgres'))).toBe(false);
  });

  it('makes, migrates and stops one that does not run', async () => {
    await tollgate.json('account create --email you@example.com --verified');
    expect(isRunning()).toBe(false);
    expect(await tollgate.json('account list')).toMatchObject({ accounts: [{ email: 'you@example.com' }] });
    expect(isRunning()).toBe(false);
  });

  it('joins one that runs, and leaves it running', async () => {
    const embedded = await openEmbedded(dataDir.path);
    try {
      expect(embedded.started).toBe(true);
      expect(await tollgate.json('account show --email you@example.com')).toMatchObject({ keys: 0 });
      expect(isRunning()).toBe(true);
    } finally {
      await embedded.stop();
    }
    expect(isRunning()).toBe(false);
  });

  it('seals credentials with the key that embedded mode keeps', async () => {
    await tollgate.json(
      'provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1 --api-key secret',
    );
    const { stdout } = await tollgate('doctor');
    expect(stdout).toMatch(/^ok {4}Credentials +1 stored credential opened$/m);
  });
});
