import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listRecordFiles } from './record-files.ts';

it('lists spool files before journals, both in serial order', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-records-'));
  const names = [
    'rep_a.7.sealed.ndjson',
    'rep_a-9.7.sealed.ndjson',
    'rep_a-10.7.sealed.ndjson',
    'rep_a-2.7.journal',
    'rep_a-11.7.journal',
  ];
  for (const name of names.toReversed()) writeFileSync(path.join(directory, name), '');
  expect(listRecordFiles(directory).map(({ file }) => path.basename(file))).toEqual(names);
  rmSync(directory, { recursive: true });
});
