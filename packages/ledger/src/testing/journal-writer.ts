/** A child process that keeps settlements, prints their IDs, and releases every second one. */
import { requestRecord } from '@tollgate/testing/ledger-records';
import { Journal } from '../journal.ts';

const [directory = ''] = process.argv.slice(2);
const quiet = () => undefined;
const journal = new Journal({
  directory,
  replicaId: 'rep_killed',
  log: { info: quiet, warn: quiet, error: quiet },
});
for (let i = 0; i < 1_000_000; i++) {
  const record = requestRecord({ accountId: 'acct_a', keyId: 'key_a' });
  journal.keep(record);
  journal.whenKept(record, () => {
    process.stdout.write(`${record.id}\n`);
    if (i % 2 === 1) journal.release(record);
  });
  // Output to a pipe is written between turns.
  if (i % 100 === 0) await new Promise(setImmediate);
}
