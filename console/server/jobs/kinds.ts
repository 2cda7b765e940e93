import { HOUSEKEEPING } from '../housekeeping.ts';
import { deliverMailJob } from '../mail/deliver-mail.ts';
import { verifyLedgerJob } from '../operator/ledger-check.ts';
import { removePaymentDataJob } from '../payments/remove-payment-data.ts';
import type { JobKind } from './job-kind.ts';

/** Every kind of job that the console runs. */
export const JOB_KINDS: readonly JobKind[] = [
  deliverMailJob,
  removePaymentDataJob,
  verifyLedgerJob,
  ...HOUSEKEEPING,
];
