import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ReadRate } from './read-rate.ts';
import { ReadTurns } from './read-turns.ts';

const KIB = 1024;

describe('turns of reading large bodies', () => {
  it('let readers continue until a turn has read 256 KiB', () => {
    const turns = new ReadTurns();
    expect([
      turns.spend('account a', 200 * KIB),
      turns.spend('account a', 50 * KIB),
      turns.spend('account a', 6 * KIB),
    ]).toEqual([false, false, true]);
  });

  it('resume four waiting readers in each later turn, alternating between accounts', async () => {
    const turns = new ReadTurns();
    const resumed: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) turns.wait('account a', () => void resumed.push(name));
    turns.wait('account b', () => void resumed.push('b1'));
    expect(resumed).toEqual([]);
    await nextTurn();
    expect(resumed).toEqual(['a1', 'b1', 'a2', 'a3']);
    await nextTurn();
    expect(resumed).toEqual(['a1', 'b1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('let no reader continue while others wait, unless it is at its turn', async () => {
    const turns = new ReadTurns();
    turns.wait('account a', () => undefined);
    expect(turns.spend('account b', 64 * KIB)).toBe(true);
    expect(turns.spend('account b', 64 * KIB, true)).toBe(false);
    await nextTurn();
    expect(turns.spend('account b', 64 * KIB)).toBe(false);
  });

  it('start again with the full number of bytes', async () => {
    const turns = new ReadTurns();
    turns.spend('account a', 256 * KIB);
    await nextTurn();
    expect(turns.spend('account a', 255 * KIB)).toBe(false);
  });

  it('make an account wait that has used its rate, and no other', async () => {
    let nowMs = 0;
    const turns = new ReadTurns(new ReadRate(() => nowMs));
    expect(turns.spend('account a', 32 * 1024 * KIB)).toBe(true);
    await nextTurn();
    expect(turns.spend('account b', 64 * KIB)).toBe(false);
    expect(turns.spend('account a', KIB)).toBe(true);
    const resumed = new Promise<void>((resolve) => turns.wait('account a', resolve));
    nowMs = 1_000;
    await resumed;
    expect(turns.spend('account a', KIB)).toBe(false);
  });
});
