import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startOpenIdProvider } from './openid-provider.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 20_000;

export interface Installation {
  consoleUrl: string;
  /** Ends with `/v1`. */
  apiUrl: string;
  dataDir: string;
  /** The link to the mailbox and the test payments. */
  localToolsLink: string;
  /** The link that makes the first user an operator. */
  operatorLink: string;
}

/** Runs the services of `npm start` with a separate data directory, and waits until both respond. */
export async function startInstallation(): Promise<{
  installation: Installation;
  stop: () => Promise<void>;
}> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tollgate-e2e-'));
  // If the tests run as root, the embedded database runs as another user.
  chmodSync(dataDir, 0o755);
  const [consolePort, apiPort] = [await findFreePort(), await findFreePort()];
  const consoleUrl = `http://127.0.0.1:${consolePort}`;
  const openId = await startOpenIdProvider(`${consoleUrl}/sign-in/oidc`);
  const child = spawn(process.execPath, ['packages/cli/src/start/main.ts'], {
    cwd: CHECKOUT,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      CONSOLE_PORT: String(consolePort),
      API_PORT: String(apiPort),
      LOG_LEVEL: 'warn',
      OIDC_ISSUER: openId.issuer,
      OIDC_CLIENT_ID: openId.clientId,
      OIDC_CLIENT_SECRET: openId.clientSecret,
      OIDC_LABEL: 'Acme',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
    if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
    await openId.stop();
  };
  const startedMs = Date.now();
  while (!output.includes('Tollgate is ready')) {
    if (child.exitCode !== null || Date.now() - startedMs > START_WITHIN_MS) {
      await stop();
      throw new Error(`The installation did not start:\n${output}`);
    }
    await sleep(50);
  }
  const operatorLink = /\S+\/sign-up\?operator=\S+/.exec(output)?.[0];
  const localToolsLink = /\S+\/dev\/open\?token=\S+/.exec(output)?.[0];
  if (localToolsLink === undefined) throw new Error(`No mailbox link was printed:\n${output}`);
  if (operatorLink === undefined) throw new Error(`No operator link was printed:\n${output}`);
  return {
    installation: {
      consoleUrl,
      apiUrl: `http://127.0.0.1:${apiPort}/v1`,
      dataDir,
      operatorLink,
      localToolsLink,
    },
    stop,
  };
}

/** Runs an operator command on the installation and returns its output. */
export async function tollgate(installation: Installation, args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['packages/cli/src/main.ts', ...args, '--json'],
    { cwd: CHECKOUT, env: { ...process.env, DATA_DIR: installation.dataDir } },
  );
  return JSON.parse(stdout);
}
