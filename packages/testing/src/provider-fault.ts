import type { FakeDialect, Script } from './fake-provider/script.ts';

/** An address that cannot respond. */
export type DeadEnd = 'self-signed' | 'plain-http' | 'unknown-name' | 'closed-port';

/**
 * When a fault occurs: `before` any byte of the response reached the caller, `midway` in a stream that has begun, or
 * `never` visibly.
 */
export type Strike = 'before' | 'midway' | 'never';

/** One kind of provider failure. */
export interface ProviderFault {
  name: string;
  /** The fake provider's script, by dialect; or an unreachable address. */
  provoke: ((dialect: FakeDialect) => Script) | DeadEnd;
  /** null: not applicable to this kind of response. */
  stream: Strike | null;
  whole: Strike | null;
  /** The statuses that a caller may get without a fallback provider; in a started stream: 200. */
  statuses: readonly number[];
  /** The error's code; null: the provider's own. */
  code: string | null;
  /** Run separately, because it blocks the process. */
  isLarge?: true;
}
