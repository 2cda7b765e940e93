import type { CodeHasher } from '@tollgate/auth/one-time-code';
import type { PasswordHasher } from '@tollgate/auth/password';
import type { Sealer } from '@tollgate/auth/seal';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import type { ProxyEnvironment } from '@tollgate/upstreams/connection/proxy-environment';
import type { Logger } from 'pino';
import type { ExternalProvider } from './auth/external/provider.ts';
import type { Live } from './live/live.ts';
import type { TopUpRange } from './payments/amounts.ts';
import type { PaymentProvider } from './payments/provider.ts';
import type { Sessions } from './sessions.ts';

/** Configuration of the console. */
export interface ConsoleSettings {
  /** Ends with `/v1`. */
  publicApiUrl: string;
  /** Without a slash at the end. */
  publicConsoleUrl: string;
  /** True if emails are kept for `/dev/mailbox` instead of being sent. */
  hasMailbox: boolean;
  /** Opens the mailbox and the test payments, from the link printed at startup; null: neither exists here. */
  localToolsToken: string | null;
  /** How many proxies in front add to X-Forwarded-For; 0: the header is not believed. */
  trustedProxyHops: number;
  /** Minimum duration of responses that must not reveal whether an email exists. */
  answerFloorMs: number;
  /** Where the built app lies. */
  appDir: string;
  topUp: TopUpRange;
  /** The operator's name and address on receipts; null: none was set. */
  receiptIssuer: string | null;
  /** The forward proxies to providers. */
  proxies: ProxyEnvironment;
}

/** Everything that the console needs from outside; `main.ts` makes it, tests make their own. */
export interface Deps {
  db: Database;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  hashCode: CodeHasher;
  passwords: PasswordHasher;
  sessions: Sessions;
  live: Live;
  /** What people may sign in with next to a password, in the order of the buttons. */
  externalProviders: readonly ExternalProvider[];
  /** null: payments are not set up. */
  payments: PaymentProvider | null;
  /** Notified after an email was queued, so that it leaves immediately. */
  onMailQueued(): void;
  settings: ConsoleSettings;
}
