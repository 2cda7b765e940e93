import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { encodeAsObject, requestRecord } from '@tollgate/testing/ledger-records';
import { describe, expect, it } from 'vitest';
import { Spool } from './spool.ts';
import { decodeRecord, encodeRecord } from './spooled-record.ts';
import { createDirectory, createLog, expectTornLine } from './testing/ledger-harness.ts';

const WRITER = fileURLToPath(new URL('./testing/spool-writer.ts', import.meta.url));
const OWNER = { accountId: 'acct_a', keyId: 'key_a' };
const NOBODY_LIVES = () => false;
/** Above Linux's default maximum PID. */
const DEAD_PID = 4_194_303;

function openSpool(directory: string, replicaId = 'rep_successor', maxBytes = 1_000_000) {
  const log = createLog();
  return { spool: new Spool({ directory, replicaId, maxBytes, log }), log };
}

async function readAll(spool: Spool): Promise<RequestRecord[]> {
  const all: RequestRecord[] = [];
  for (;;) {
    const records = await spool.read(100);
    if (records.length === 0) return all;
    all.push(...records);
  }
}

/** Runs the writer until it has printed enough lines: settlement ID and whether it was accepted. */
async function runWriter(command: readonly string[], isEnough: (said: string[]) => boolean): Promise<Writer> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (isEnough(said)) break;
  }
  const kill = () => killHard(child);
  return { said, kill, [Symbol.asyncDispose]: kill };
}

/** Removed at the end of the test. */
interface Writer extends AsyncDisposable {
  said: string[];
  kill: () => Promise<void>;
}

async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('appended settlements', () => {
  it('survive SIGKILL at any moment, except one whose write did not return', async () => {
    using directory = createDirectory();
    const command = [process.execPath, WRITER, directory.path, 'rep_killed', '100000'];
    await using writer = await runWriter(command, (lines) => lines.length === 300);
    await writer.kill();
    const { spool, log } = openSpool(directory.path);
    expect(spool.adopt(NOBODY_LIVES)).toBe(1);
    const ids = (await readAll(spool)).map(({ id }) => id);
    const said = writer.said.map((line) => line.split(' ')[0] ?? '');
    expect(ids.slice(0, 300)).toEqual(said);
    expect(new Set(ids).size).toBe(ids.length);
    expectTornLine(directory.read(/^rejected/), log, said);
    expect(directory.read(/^(?!rejected).*ndjson/)).toBe('');
    expect(spool.bytes).toBe(0);
  });

  it('are read back unchanged', async () => {
    using directory = createDirectory();
    const { spool } = openSpool(directory.path);
    const attempts = [
      { route: 'r', provider: 'p', upstreamModel: 'm', outcome: 'status_529', status: 529, durationMs: 1 },
    ];
    const records = [
      requestRecord(OWNER, { model: 'é "✓"\n', costNanoUsd: 2n ** 62n, attempts, isHeld: true }),
      requestRecord(OWNER, { model: null, firstByteMs: null, recovered: true, errorCode: 'upstream_error' }),
    ];
    for (const record of records) expect(spool.append(record)).toBe(true);
    spool.seal();
    expect(await readAll(spool)).toEqual(records);
    await spool.close();
  });

  it('can be read from releases without timing details', () => {
    const record = requestRecord(OWNER, { queueMs: 1, holdMs: 2, connectMs: 3 });
    const line = encodeAsObject(record);
    const before = line.replace(',"queueMs":1,"holdMs":2,"connectMs":3', '');
    expect(before.length).toBeLessThan(line.length);
    expect(decodeRecord(before)).toEqual({ ...record, queueMs: null, holdMs: null, connectMs: null });
  });

  it('are read again from the beginning if storing failed', async () => {
    using directory = createDirectory();
    const { spool } = openSpool(directory.path);
    const records = Array.from({ length: 1_500 }, () => requestRecord(OWNER));
    for (const record of records) spool.append(record);
    spool.seal();
    expect(await spool.read(100)).toEqual(records.slice(0, 100));
    expect(await spool.read(1_000)).toEqual(records.slice(100, 1_100));
    await spool.rewind();
    expect(await readAll(spool)).toEqual(records);
  });

  it('are readable only by the owner and contain only the request’s record', async () => {
    using directory = createDirectory();
    const inside = path.join(directory.path, 'spool');
    const { spool } = openSpool(inside);
    const record = requestRecord(OWNER);
    spool.append(record);
    spool.reject(record);
    expect(statSync(inside).mode & 0o777).toBe(0o700);
    const files = readdirSync(inside);
    expect(files).toHaveLength(2);
    for (const file of files) expect(statSync(path.join(inside, file)).mode & 0o777).toBe(0o600);
    expect(encodeRecord(record)).not.toMatch(/sk-|secret|hash|authorization/i);
    await spool.close();
  });
});

describe('the end of a file', () => {
  const write = (directory: string, lines: string) =>
    writeFileSync(path.join(directory, `rep_dead.${DEAD_PID}.open.ndjson`), lines);

  it('if torn, loses only its own line, which is kept for inspection', async () => {
    using directory = createDirectory();
    const records = Array.from({ length: 3 }, () => requestRecord(OWNER));
    const lines = records.map((record) => `${encodeRecord(record)}\n`).join('');
    write(directory.path, lines.slice(0, -40));
    const { spool, log } = openSpool(directory.path);
    spool.adopt(NOBODY_LIVES);
    expect(await readAll(spool)).toEqual(records.slice(0, 2));
    expect(log.said('error')).toEqual(['a line of the spool cannot be read: it is left out']);
    expect(directory.read(/^rejected/)).toContain(records[2]?.id);
  });

  it('may lack its line feed', async () => {
    using directory = createDirectory();
    const record = requestRecord(OWNER);
    write(directory.path, encodeRecord(record));
    const { spool } = openSpool(directory.path);
    spool.adopt(NOBODY_LIVES);
    expect(await readAll(spool)).toEqual([record]);
  });

  it('bills records with unknown descriptive values', async () => {
    using directory = createDirectory();
    const record = requestRecord(OWNER, { costNanoUsd: 77n });
    const odd = { status: null, attempts: 'none', inputTokens: 1.5, latencyMs: -1, streamed: 'maybe' };
    const text: unknown = JSON.parse(encodeAsObject(record));
    write(
      directory.path,
      `${JSON.stringify({ ...Object(text), ...odd })}\n${JSON.stringify({ ...Object(text), costNanoUsd: '-1' })}\n`,
    );
    const { spool } = openSpool(directory.path);
    spool.adopt(NOBODY_LIVES);
    expect(await readAll(spool)).toMatchObject([
      { id: record.id, costNanoUsd: 77n, inputTokens: 0, attempts: null },
    ]);
    expect(directory.read(/^rejected/)).toContain(record.id);
  });
});

describe('a full disk', () => {
  it('accepts whole lines only', async () => {
    using directory = createDirectory();
    const blocks = 8;
    const node = `ulimit -f ${blocks}; exec "${process.execPath}" "${WRITER}" "${directory.path}" rep_full 50`;
    await using writer = await runWriter(['bash', '-c', node], (lines) => lines.at(-1) === 'done');
    await writer.kill();
    const taken = writer.said.filter((line) => line.endsWith(' true')).map((line) => line.split(' ')[0]);
    expect(taken.length).toBeGreaterThan(5);
    expect(taken.length).toBeLessThan(50);
    const { spool, log } = openSpool(directory.path);
    spool.adopt(NOBODY_LIVES);
    expect((await readAll(spool)).map(({ id }) => id)).toEqual(taken);
    expect(log.said('error')).toEqual([]);
  });

  it('is prevented by a size limit; the spool accepts settlements again when there is space', async () => {
    using directory = createDirectory();
    const record = requestRecord(OWNER);
    const { spool } = openSpool(directory.path, 'rep_a', 3 * (encodeRecord(record).length + 1));
    expect([1, 2, 3, 4].map(() => spool.append(record))).toEqual([true, true, true, false]);
    expect(spool.isFull).toBe(true);
    spool.seal();
    await readAll(spool);
    expect(spool.append(record)).toBe(true);
    // The next process counts the existing files.
    expect(openSpool(directory.path, 'rep_b').spool.bytes).toBe(spool.bytes);
    await spool.close();
  });
});

describe('files of a stopped replica', () => {
  it('are not taken from a live process, even of an older release', async () => {
    using directory = createDirectory();
    const command = [process.execPath, WRITER, directory.path, 'rep_other', '3'];
    await using writer = await runWriter(command, (lines) => lines.at(-1) === 'done');
    const { spool } = openSpool(directory.path);
    expect(spool.adopt((id) => id === 'rep_other')).toBe(0);
    await writer.kill();
    expect(spool.adopt((id) => id === 'rep_other')).toBe(1);
    expect(await readAll(spool)).toHaveLength(3);
  });

  it('are taken over once', () => {
    using directory = createDirectory();
    const record = requestRecord(OWNER);
    for (let i = 0; i < 10; i++)
      writeFileSync(
        path.join(directory.path, `rep_dead${i}.${DEAD_PID}.open.ndjson`),
        `${encodeRecord(record)}\n`,
      );
    const { spool } = openSpool(directory.path);
    expect([spool.adopt(() => true), spool.adopt(NOBODY_LIVES)]).toEqual([10, 0]);
  });

  it('are taken over even if another process reuses the PID', async () => {
    using directory = createDirectory();
    const file = path.join(directory.path, `rep_dead.${process.ppid}.open.ndjson`);
    writeFileSync(file, `${encodeRecord(requestRecord(OWNER))}\n`);
    const { spool } = openSpool(directory.path);
    expect(spool.adopt(NOBODY_LIVES)).toBe(1);
    expect(await readAll(spool)).toHaveLength(1);
  });

  it('leave no file open if they cannot be synced', async () => {
    using directory = createDirectory();
    // A device takes what is written, and refuses to be synced.
    symlinkSync('/dev/null', path.join(directory.path, `rep_successor.${process.pid}.open.ndjson`));
    const countOpen = () => readdirSync('/proc/self/fd').length;
    const { spool, log } = openSpool(directory.path);
    const before = countOpen();
    for (let at = 0; at < 20; at += 1) {
      expect(spool.append(requestRecord(OWNER))).toBe(true);
      spool.seal();
    }
    expect(log.said('error')).toContain('the spool could not be sealed');
    expect(countOpen()).toBeLessThan(before + 10);
    await spool.close();
  });

  it('stay in place if unreadable, without affecting others', async () => {
    using directory = createDirectory();
    mkdirSync(path.join(directory.path, `rep_dead1.${DEAD_PID}.open.ndjson`));
    const good = path.join(directory.path, `rep_dead2.${DEAD_PID}.open.ndjson`);
    writeFileSync(good, `${encodeRecord(requestRecord(OWNER))}\n`);
    const { spool, log } = openSpool(directory.path);
    expect(spool.adopt(NOBODY_LIVES)).toBe(2);
    expect(await readAll(spool)).toHaveLength(1);
    expect(log.said('error')).toEqual(['a file of the spool could not be read: it is left out']);
  });
});
