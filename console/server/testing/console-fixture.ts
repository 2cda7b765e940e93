import { NO_PROXIES } from '@tollgate/upstreams/connection/proxy-environment';
import { createCodeHasher } from '@tollgate/auth/one-time-code';
import { createPasswordHasher } from '@tollgate/auth/password';
import { createSealer } from '@tollgate/auth/seal';
import type { Clock } from '@tollgate/core/runtime/clock';
import { findMail, listMails } from '@tollgate/db/queries/system/outbox';
import { createTestDatabase } from '@tollgate/testing/database';
import { TEST_ENCRYPTION_KEY } from '@tollgate/testing/spawn-api';
import { pino } from 'pino';
import { openMail } from '@tollgate/mail/queue-mail';
import { createApp } from '../app.ts';
import type { ExternalProvider } from '../auth/external/provider.ts';
import { createSessions } from '../auth/lucia.ts';
import type { ConsoleSettings, Deps } from '../deps.ts';
import { createLive } from '../live/live.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import { createVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

/** Most tests sign people up and in; `packages/auth/src/password.test.ts` tests the server's cost. */
const CHEAP_PASSWORDS = { memoryKib: 64, passes: 1 };

export interface ReceivedMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** The six digits in it; '' if there are none. */
  code: string;
  /** The token of the link in it; '' if there is none. */
  token: string;
}

export interface TestConsole extends AsyncDisposable {
  deps: Deps;
  /** Everything that was logged. */
  logLines: string[];
  /** Turns the clock forward. */
  advance(milliseconds: number): void;
  /** A browser with a separate cookie jar. */
  visit(options?: VisitorOptions): Visitor;
  fetch(request: Request, remoteAddress: string): Promise<Response>;
  /** The mails to an address, the newest first. */
  mailsTo(recipient: string): Promise<ReceivedMail[]>;
  /** @throws Error if there is none */
  newestMailTo(recipient: string): Promise<ReceivedMail>;
}

type MakePayments = (site: { clock: Clock; publicConsoleUrl: string }) => PaymentProvider;

/** The console's real app on its own database, with an adjustable clock and, by default, without payments. */
export async function createTestConsole(
  settings: Partial<ConsoleSettings> = {},
  makePayments: MakePayments | null = null,
  externalProviders: readonly ExternalProvider[] = [],
): Promise<TestConsole> {
  const database = await createTestDatabase();
  const { db } = database;
  const logLines: string[] = [];
  const encryptionKey = TEST_ENCRYPTION_KEY;
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs };
  const publicConsoleUrl = settings.publicConsoleUrl ?? 'http://127.0.0.1:3000';
  const log = pino({ level: 'trace' }, { write: (line) => logLines.push(line) });
  const deps: Deps = {
    db,
    clock,
    log,
    live: createLive({ db, log }),
    externalProviders,
    sealer: createSealer(encryptionKey),
    hashCode: createCodeHasher(encryptionKey),
    passwords: createPasswordHasher(CHEAP_PASSWORDS),
    sessions: createSessions({ db, clock, isSecure: publicConsoleUrl.startsWith('https:') }),
    payments: makePayments?.({ clock, publicConsoleUrl }) ?? null,
    onMailQueued: () => undefined,
    settings: {
      publicApiUrl: 'http://127.0.0.1:8787/v1',
      publicConsoleUrl,
      hasMailbox: true,
      localToolsToken: 'local-tools-token',
      trustedProxyHops: 0,
      answerFloorMs: 0,
      appDir: '/nonexistent',
      topUp: { minNanoUsd: 5_000_000_000n, maxNanoUsd: 1_000_000_000_000n },
      receiptIssuer: null,
      proxies: NO_PROXIES,
      ...settings,
    },
  };
  const app = createApp(deps);
  const fetchApp = async (request: Request, remoteAddress: string) =>
    app.fetch(request, { incoming: { socket: { remoteAddress } } });
  const mailsTo = async (recipient: string) => {
    const { mails } = await listMails(db, { limit: 1000 });
    const wanted = mails.filter((mail) => mail.recipient === recipient);
    return Promise.all(wanted.map((mail) => readMail(deps, mail.id)));
  };
  return {
    deps,
    logLines,
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
    visit: (options) => createVisitor({ fetch: fetchApp, publicConsoleUrl }, options),
    fetch: fetchApp,
    mailsTo,
    async newestMailTo(recipient) {
      const [mail] = await mailsTo(recipient);
      if (mail === undefined) throw new Error(`There is no mail to ${recipient}`);
      return mail;
    },
    async [Symbol.asyncDispose]() {
      await deps.live.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function readMail(deps: Deps, id: string): Promise<ReceivedMail> {
  const found = await findMail(deps.db, id);
  if (found === null) throw new Error(`There is no mail ${id}`);
  const body = openMail(deps.sealer, found);
  return {
    id,
    recipient: found.recipient,
    subject: found.subject,
    ...body,
    code: /^ {4}(\d{6})$/m.exec(body.text)?.[1] ?? '',
    token: /[?&]token=([\w-]+)/.exec(body.text)?.[1] ?? '',
  };
}
