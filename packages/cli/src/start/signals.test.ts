import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchSignals } from './signals.ts';

describe('watchSignals', () => {
  it('treats copies of one Ctrl-C as one, and a later one as a forced stop', () => {
    const source = new EventEmitter();
    let now = 0;
    const { stopping, forced } = watchSignals(source, () => now);
    expect(stopping.aborted).toBe(false);
    source.emit('SIGINT');
    now = 100;
    source.emit('SIGINT');
    source.emit('SIGTERM');
    expect({ stopping: stopping.aborted, forced: forced.aborted }).toEqual({ stopping: true, forced: false });
    now = 2_000;
    source.emit('SIGINT');
    expect(forced.aborted).toBe(true);
  });
});
