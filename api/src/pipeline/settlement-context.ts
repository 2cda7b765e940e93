import type { Ledger } from '@tollgate/ledger/ledger';
import type { ExpectedOutput } from '@tollgate/limits/expected-output';
import type { LimitStore } from '@tollgate/limits/limit-store';
import type { OutputSpeeds } from '@tollgate/limits/output-speed';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';

/** The request of a settlement, and the services that its end is reported to. */
export interface SettlementContext {
  exchange: Exchange;
  key: CachedKey;
  endpoint: string;
  ledger: Ledger;
  limits: LimitStore;
  expected: ExpectedOutput;
  catalogue: { readonly current: Catalogue };
  outputSpeeds: OutputSpeeds;
}
