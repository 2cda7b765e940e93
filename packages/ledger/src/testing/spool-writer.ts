/** A child process that appends settlements to a spool, prints each result, and then waits. */
import { requestRecord } from '@tollgate/testing/ledger-records';
import { Spool } from '../spool.ts';

const [directory = '', replicaId = '', count = '0'] = process.argv.slice(2);
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
const spool = new Spool({ directory, replicaId, maxBytes: 10_000_000, log });
for (let i = 0; i < Number(count); i++) {
  const record = requestRecord({ accountId: 'acct_a', keyId: 'key_a' });
  process.stdout.write(`${record.id} ${spool.append(record)}\n`);
}
process.stdout.write('done\n');
setInterval(quiet, 60_000);
