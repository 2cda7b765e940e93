import type { Ledger } from '@tollgate/ledger/ledger';
import type { ExpectedOutput } from '@tollgate/limits/expected-output';
import type { LimitStore } from '@tollgate/limits/limit-store';
import type { OutputSpeeds } from '@tollgate/limits/output-speed';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { FailureLog } from './log-failed.ts';

/** The request of a settlement, and the services that its end is reported to. */
export interface SettlementContext {
  exchange: Pick<Exchange, 'requestId' | 'startedAtMs' | 'header'>;
  key: Pick<CachedKey, 'id' | 'accountId'> & {
    plan: Pick<CachedKey['plan'], 'pricePpm' | 'ownCredentialPpm' | 'countsCacheReads'>;
  };
  endpoint: string;
  ledger: Pick<Ledger, 'settle' | 'checkpoint' | 'whenKept'>;
  limits: Pick<LimitStore, 'trueUp'>;
  expected: Pick<ExpectedOutput, 'note'>;
  catalogue: { readonly current: Catalogue };
  outputSpeeds: OutputSpeeds;
  log: FailureLog;
}
