import { renameSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { Spool } from './spool.ts';
import { encodeRecord } from './spooled-record.ts';
import { createDirectory, createLog } from './testing/ledger-harness.ts';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };
const FULL_BYTES = 16 * 1024 * 1024;

it('rejected settlements that are not kept are logged by their IDs, once when their file is full and once after', async () => {
  using directory = createDirectory();
  const lines: { fields: unknown; message: string }[] = [];
  const error = (fields: object, message: string) => void lines.push({ fields, message });
  const log = { ...createLog(), error };
  const spool = new Spool({ directory: directory.path, replicaId: 'rep_a', maxBytes: 1_000_000, log });
  const [kept, first, second, later, last] = Array.from({ length: 5 }, () => requestRecord(OWNER));
  if (!kept || !first || !second || !later || !last) throw new Error('records are missing');
  spool.reject(kept);
  const file = path.join(directory.path, 'rejected.ndjson');
  truncateSync(file, FULL_BYTES);
  spool.reject(first);
  spool.reject(second);
  const full = 'the file of rejected settlements is full: they are not kept until it is moved away';
  expect(lines).toEqual([{ fields: { records: 1, ids: [first.id] }, message: full }]);
  renameSync(file, path.join(directory.path, 'moved'));
  spool.reject(later);
  const dropped = 'rejected settlements were not kept because their file was full';
  expect(lines.slice(1)).toEqual([{ fields: { records: 2, ids: [first.id, second.id] }, message: dropped }]);
  expect(directory.read(/^rejected/)).toBe(`${encodeRecord(later)}\n`);
  truncateSync(file, FULL_BYTES);
  spool.reject(last);
  await spool.close();
  expect(lines.slice(2)).toEqual([
    { fields: { records: 1, ids: [last.id] }, message: full },
    { fields: { records: 1, ids: [last.id] }, message: dropped },
  ]);
});
