import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { describe, expect, it, vi } from 'vitest';
import { Journal } from './journal.ts';
import { encodeHeader } from './record-files.ts';
import { Spool } from './spool.ts';
import { decodeRecord, encodeRecord } from './spooled-record.ts';
import { createDirectory, createLog, expectTornLine } from './testing/ledger-harness.ts';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };
const WRITER = path.join(import.meta.dirname, 'testing/journal-writer.ts');
const DEAD_PID = 4_194_303;
const NOBODY_LIVES = () => false;

function openJournal(directory: string, replicaId = 'rep_a') {
  const log = createLog();
  return { journal: new Journal({ directory, replicaId, log }), log };
}

function openSpool(directory: string, database = 'system/1') {
  const log = createLog();
  const spool = new Spool({ directory, replicaId: 'rep_heir', maxBytes: 100_000_000, log });
  spool.setDatabase(database);
  return { spool, log };
}

async function readAll(spool: Spool): Promise<RequestRecord[]> {
  const all: RequestRecord[] = [];
  for (;;) {
    const records = await spool.read(1_000);
    if (records.length === 0) return all;
    all.push(...records);
  }
}

const journalsIn = (directory: string) => readdirSync(directory).filter((name) => name.endsWith('.journal'));
const leave = (directory: string, name: string, lines: readonly string[]) =>
  writeFileSync(path.join(directory, name), lines.map((line) => `${line}\n`).join(''));

describe('a journal', () => {
  it('is complete after SIGKILL at any moment', async () => {
    using directory = createDirectory();
    const child = spawn(process.execPath, [WRITER, directory.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const said: string[] = [];
    for await (const id of createInterface(child.stdout)) {
      said.push(id);
      if (said.length === 5_000) break;
    }
    child.kill('SIGKILL');
    await exited;
    const { spool, log } = openSpool(directory.path);
    expect(spool.adopt(NOBODY_LIVES)).toBeGreaterThan(0);
    const kept = (await readAll(spool)).map(({ id }) => id);
    // Every second one was released, as after a commit.
    expect(kept).toEqual(expect.arrayContaining(said.filter((_, at) => at % 2 === 0)));
    expect(new Set(kept).size).toBe(kept.length);
    expectTornLine(directory.read(/^rejected/), log, said);
    expect(directory.read(/^(?!rejected).*(?:ndjson|journal)/)).toBe('');
  });

  it('writes records of one turn before it runs their callbacks in order', async () => {
    using directory = createDirectory();
    const { journal, log } = openJournal(directory.path);
    const [first, second, stored] = [requestRecord(OWNER), requestRecord(OWNER), requestRecord(OWNER)];
    const refused = requestRecord(OWNER, { errorCode: 'invalid_request', costNanoUsd: 0n });
    const called: string[] = [];
    const note = (name: string) => () => {
      called.push(`${name}: ${directory.read(/journal/).split('\n').length - 1} lines`);
    };
    journal.keep(first);
    journal.whenKept(first, note('first'));
    journal.whenKept(first, () => {
      throw new Error('the caller disconnected');
    });
    journal.keep(refused);
    journal.whenKept(refused, note('nothing to write'));
    // The estimate of a stale replica can be repeated.
    journal.keep(requestRecord(OWNER, { isHeld: true, recovered: true }));
    journal.keep(stored);
    journal.whenKept(stored, note('stored'));
    journal.release(stored);
    journal.whenKept(stored, note('stored, again'));
    journal.keep(second);
    expect(called).toEqual(['nothing to write: 0 lines']);
    const last = Promise.withResolvers<void>();
    journal.whenKept(second, note('second'));
    journal.whenKept(second, last.resolve);
    await last.promise;
    const order = ['first', 'stored', 'stored, again', 'second'];
    expect(called.slice(1)).toEqual(order.map((name) => `${name}: 2 lines`));
    expect(log.said('error')).toEqual(['a callback after the journal write failed']);
    expect(directory.read(/journal/)).not.toContain(stored.id);
    journal.close();
  });

  it('writes the other records of a turn if one cannot be serialized', () => {
    using directory = createDirectory();
    const { journal, log } = openJournal(directory.path);
    const broken = requestRecord(OWNER);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not allowed by the type
    Object.assign(broken, { status: 1n as unknown as number });
    const good = requestRecord(OWNER);
    journal.keep(broken);
    journal.keep(good);
    journal.flush();
    expect(directory.read(/journal/)).toContain(good.id);
    expect(log.said('error')).toEqual(['a settlement could not be written to the journal']);
    expect(journal.isWritable).toBe(true);
    journal.close();
  });

  it('writes a record that is kept again after its release in the same turn', () => {
    using directory = createDirectory();
    const { journal } = openJournal(directory.path);
    const record = requestRecord(OWNER);
    journal.keep(record);
    journal.release(record);
    journal.keep(record);
    journal.flush();
    expect(directory.read(/journal/)).toContain(record.id);
    journal.release(record);
    journal.close();
    expect(directory.read(/journal/)).toBe('');
  });

  it('writes only the last checkpoint of a turn', () => {
    using directory = createDirectory();
    const { journal } = openJournal(directory.path);
    const early = requestRecord(OWNER, { outputTokens: 1 });
    const late = { ...early, outputTokens: 2 };
    const last = { ...early, outputTokens: 3 };
    journal.keep(early);
    journal.replace(early, late);
    journal.keep(late);
    journal.keepAs(last, late);
    journal.keep(last);
    journal.flush();
    expect(directory.read(/journal/)).toBe(`${encodeRecord(last)}\n`);
    journal.release(last);
    journal.close();
    expect(directory.read(/journal/)).toBe('');
  });

  it('keeps multibyte characters and long records unchanged', async () => {
    using directory = createDirectory();
    const { journal } = openJournal(directory.path);
    const records = ['größe', '模型'.repeat(90), '😀'].flatMap((model) =>
      [10, 2_700, 8_000].map((length) => requestRecord(OWNER, { model, rawUsage: 'ü'.repeat(length) })),
    );
    for (const record of records) journal.keep({ ...record });
    journal.flush();
    const lines = directory
      .read(/journal/)
      .trimEnd()
      .split('\n');
    expect(lines).toEqual(records.map(encodeRecord));
    expect(lines.map(decodeRecord)).toEqual(records);
    journal.close();
  });

  it('deletes a file when all its records are stored', async () => {
    using directory = createDirectory();
    const { journal } = openJournal(directory.path);
    const waiting: RequestRecord[] = [];
    let mostBytes = 0;
    for (let i = 0; i < 40_000; i++) {
      const record = requestRecord(OWNER);
      journal.keep(record);
      if (i % 10 === 0) journal.flush();
      waiting.push(record);
      if (waiting.length > 1_000) {
        const stored = waiting.shift();
        if (stored !== undefined) journal.release(stored);
      }
      if (i % 5_000 === 0) mostBytes = Math.max(mostBytes, bytesIn(directory.path));
    }
    await vi.waitFor(() => expect(journalsIn(directory.path).length).toBeLessThanOrEqual(2));
    expect(mostBytes).toBeLessThan(13 * 1024 * 1024);
    for (const record of waiting) journal.release(record);
    journal.close();
    await vi.waitFor(() => expect(journalsIn(directory.path)).toEqual([]));
  });

  it('removes stored records within a second', async () => {
    using directory = createDirectory();
    const { journal } = openJournal(directory.path);
    const record = requestRecord(OWNER);
    journal.keep(record);
    journal.flush();
    expect(directory.read(/journal/)).toContain(record.id);
    journal.release(record);
    await vi.waitFor(() => expect(directory.read(/journal/)).toBe(''), { timeout: 5_000 });
    const next = requestRecord(OWNER);
    journal.keep(next);
    journal.flush();
    expect(directory.read(/journal/)).toBe(`${encodeRecord(next)}\n`);
    journal.close();
    // Records that are not stored elsewhere stay for the next start.
    expect(directory.read(/journal/)).toContain(next.id);
  });

  it('does not block responses on a disk failure, and logs failure and recovery once', async () => {
    using directory = createDirectory();
    const { journal, log } = openJournal(directory.path);
    rmSync(directory.path, { recursive: true });
    const records = Array.from({ length: 1_000 }, () => requestRecord(OWNER));
    for (const record of records) {
      journal.keep(record);
      journal.flush();
    }
    expect(journal.isWritable).toBe(false);
    expect(log.said('error')).toHaveLength(1);
    mkdirSync(directory.path);
    await vi.waitFor(
      () => {
        journal.keep(requestRecord(OWNER));
        journal.flush();
        expect(journal.isWritable).toBe(true);
      },
      { timeout: 5_000 },
    );
    expect(log.said('info')).toEqual(['the journal can be written again']);
    for (const record of records) journal.release(record);
    journal.close();
  });
});

describe('the journal of a killed replica', () => {
  it('counts the last line of each request across files in order', async () => {
    using directory = createDirectory();
    const checkpoint = requestRecord(OWNER, { outputTokens: 5, errorCode: 'replica_lost' });
    const later = { ...checkpoint, outputTokens: 9 };
    const settled = { ...checkpoint, outputTokens: 12, errorCode: null };
    const other = requestRecord(OWNER, { outputTokens: 1 });
    leave(directory.path, `rep_dead-2.${DEAD_PID}.journal`, [later].map(encodeRecord));
    leave(directory.path, `rep_dead-10.${DEAD_PID}.journal`, [settled].map(encodeRecord));
    leave(directory.path, `rep_dead-1.${DEAD_PID}.journal`, [checkpoint, other].map(encodeRecord));
    const { spool } = openSpool(directory.path);
    expect(spool.adopt(NOBODY_LIVES)).toBe(3);
    expect(await readAll(spool)).toEqual([settled, other]);
  });

  it('is read after its spool, so that a checkpoint never replaces a settlement', async () => {
    using directory = createDirectory();
    const settled = requestRecord(OWNER, { outputTokens: 12 });
    const checkpoint = { ...settled, outputTokens: 5, errorCode: 'replica_lost' };
    leave(directory.path, `rep_dead-1.${DEAD_PID}.journal`, [encodeRecord(checkpoint)]);
    leave(directory.path, `rep_dead.${DEAD_PID}.open.ndjson`, [encodeRecord(settled)]);
    const { spool } = openSpool(directory.path);
    expect(spool.adopt(NOBODY_LIVES)).toBe(2);
    expect(await readAll(spool)).toEqual([settled, checkpoint]);
  });

  it('is not read for another database, stays on disk, and is logged once', async () => {
    using directory = createDirectory();
    const record = requestRecord(OWNER);
    const lines = [encodeHeader('system/1'), encodeRecord(record)];
    const names = [`rep_dead-1.${DEAD_PID}.journal`, `rep_gone.${DEAD_PID}.open.ndjson`];
    for (const name of names) leave(directory.path, name, lines);
    const foreign = openSpool(directory.path, 'system/2');
    expect([foreign.spool.adopt(NOBODY_LIVES), foreign.spool.adopt(NOBODY_LIVES)]).toEqual([0, 0]);
    expect(await readAll(foreign.spool)).toEqual([]);
    expect(foreign.log.said('error')).toHaveLength(names.length);
    expect(readdirSync(directory.path).toSorted()).toEqual(names.toSorted());
    const own = openSpool(directory.path, 'system/1');
    expect(own.spool.adopt(NOBODY_LIVES)).toBe(2);
    expect((await readAll(own.spool)).map(({ id }) => id)).toEqual([record.id, record.id]);
  });

  it('has its database in the first line of every file', async () => {
    using directory = createDirectory();
    const { journal } = openJournal(directory.path, 'rep_dead');
    journal.setDatabase('system/1');
    const record = requestRecord(OWNER);
    journal.keep(record);
    journal.flush();
    const { spool } = openSpool(directory.path, 'system/1');
    spool.append(record);
    expect(directory.read(/journal/).split('\n')[0]).toBe(encodeHeader('system/1'));
    expect(directory.read(/open/).split('\n')[0]).toBe(encodeHeader('system/1'));
    await spool.close();
    spool.adopt(NOBODY_LIVES);
    expect(directory.read(/rep_heir-2.+sealed/).split('\n')[0]).toBe(encodeHeader('system/1'));
    journal.close();
  });
});

function bytesIn(directory: string): number {
  return journalsIn(directory).reduce((sum, name) => {
    const stat = statSync(path.join(directory, name), { throwIfNoEntry: false });
    return sum + (stat?.size ?? 0);
  }, 0);
}
