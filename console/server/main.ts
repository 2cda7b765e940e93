import { fileURLToPath } from 'node:url';
import { createCodeHasher } from '@tollgate/auth/one-time-code';
import { createPasswordHasher } from '@tollgate/auth/password';
import { createSealer } from '@tollgate/auth/seal';
import { systemClock } from '@tollgate/core/runtime/clock';
import { surviveLostConnection } from '@tollgate/db/survive-lost-connection';
import { pino, type Logger } from 'pino';
import { createApp } from './app.ts';
import { createExternalProviders } from './auth/external/create-providers.ts';
import { linkTo } from './auth/links.ts';
import { createSessions } from './auth/lucia.ts';
import { openConfiguredDatabase, type OpenedDatabase } from './database.ts';
import type { Deps } from './deps.ts';
import { describeError } from './describe-error.ts';
import { readEnv, type Env } from './env.ts';
import { JOB_KINDS } from './jobs/kinds.ts';
import type { Jobs } from './jobs/start-jobs.ts';
import { createLive } from './live/live.ts';
import { drain, listen } from './listen.ts';
import { deliverMailJob } from './mail/deliver-mail.ts';
import { createSmtpPostman } from './mail/smtp.ts';
import { createOperatorLink } from './operator/operator-link.ts';
import { createPayments } from './payments/create-payments.ts';

const APP_DIR = fileURLToPath(new URL('../dist', import.meta.url));
const ANSWER_FLOOR_MS = 250;

/** Environment → dependencies → serve → drain: the one file of the console with side effects. */
async function main(): Promise<void> {
  const read = readEnv();
  if (!read.ok) {
    for (const problem of read.problems) process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  const { env } = read;
  const log = pino({ level: env.logLevel, base: { service: 'console' } });
  surviveLostConnection(log);
  const database = await openConfiguredDatabase(env.database);
  try {
    await serve(env, log, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(env: Env, log: Logger, database: OpenedDatabase): Promise<void> {
  let jobs: Jobs | null = null;
  const onMailQueued = () => jobs?.wake(deliverMailJob.name);
  const deps = await bindDeps(env, log, { database, onMailQueued });
  let isDraining = false;
  const server = await listen(
    createApp(deps, () => isDraining),
    env,
  );
  const postman = env.mail === null ? null : createSmtpPostman(env.mail);
  // Loading the queue takes 0.1 s; pages are already served during that time.
  const { startJobs } = await import('./jobs/start-jobs.ts');
  const running = (jobs = await startJobs({ ...deps, postman }, JOB_KINDS));

  async function stop(signal: string): Promise<void> {
    // A second signal means "now".
    if (isDraining) process.exit(1);
    isDraining = true;
    log.info({ signal }, 'draining');
    // Streams never end automatically.
    await deps.live.close();
    await drain(server);
    await running.stop();
    await database.close();
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.error({ error: describeError(error) }, 'the console did not shut down cleanly');
        process.exit(1);
      });
    });
  }
  log.info({ host: env.host, port: env.port }, 'console ready');
  if (!env.isOrchestrated) await announce(env, deps);
}

async function bindDeps(
  env: Env,
  log: Logger,
  { database, onMailQueued }: { database: OpenedDatabase; onMailQueued: () => void },
): Promise<Deps> {
  const { db, encryptionKey } = database;
  const isSecure = env.publicConsoleUrl.startsWith('https:');
  return {
    db,
    clock: systemClock,
    log,
    sealer: createSealer(encryptionKey),
    hashCode: createCodeHasher(encryptionKey),
    passwords: createPasswordHasher(),
    sessions: createSessions({ db, clock: systemClock, isSecure }),
    live: createLive({ db, log }),
    externalProviders: createExternalProviders(env.external),
    payments: await createPayments(env.payments, {
      encryptionKey,
      publicConsoleUrl: env.publicConsoleUrl,
      clock: systemClock,
    }),
    onMailQueued,
    settings: {
      publicApiUrl: env.publicApiUrl,
      publicConsoleUrl: env.publicConsoleUrl,
      hasMailbox: env.mail === null,
      localToolsToken: env.localToolsToken,
      trustedProxyHops: env.trustedProxyHops,
      answerFloorMs: ANSWER_FLOOR_MS,
      appDir: APP_DIR,
      topUp: env.topUp,
      receiptIssuer: env.receiptIssuer,
      proxies: env.proxies,
    },
  };
}

/** To the terminal and not to the log, since the link is a secret. */
async function announce(env: Env, deps: Deps): Promise<void> {
  const link = await createOperatorLink(deps.db, {
    clock: deps.clock,
    publicConsoleUrl: env.publicConsoleUrl,
  });
  if (env.localToolsToken !== null)
    process.stdout.write(
      `Mailbox and test payments (while this process runs): ${linkTo(env, 'localTools', env.localToolsToken)}\n`,
    );
  if (link !== null) process.stdout.write(`Sign up as the operator (once, within 24 hours): ${link}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The console failed to start'}\n`);
  // The server may already listen. It must not outlive a failed start, so that the process can be restarted.
  process.exit(1);
});
