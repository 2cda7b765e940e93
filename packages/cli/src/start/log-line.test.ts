import { describe, expect, it } from 'vitest';
import { formatLogLine } from './log-line.ts';

const entry = (level: number, rest: object = {}) =>
  JSON.stringify({ level, time: 1_795_208_000_000, msg: 'the hold was refused', ...rest });

describe('formatLogLine', () => {
  it('formats a warning as one short line', () => {
    expect(formatLogLine('api', entry(40), 'warn')).toMatch(
      /^\d\d:\d\d:\d\d api warn: the hold was refused$/,
    );
  });

  it('appends the error message', () => {
    const line = formatLogLine('api', entry(50, { err: { message: 'connection reset' } }), 'warn');
    expect(line).toMatch(/api error: the hold was refused \(connection reset\)$/);
  });

  it('names the worker that wrote the entry', () => {
    expect(formatLogLine('api', entry(40, { worker: 2 }), 'warn')).toMatch(/ api 2 warn: /);
  });

  it('omits entries below the level', () => {
    expect(formatLogLine('api', entry(30), 'warn')).toBeNull();
    expect(formatLogLine('api', entry(20), 'debug')).not.toBeNull();
  });

  it('returns other lines unchanged, such as a crash message', () => {
    expect(formatLogLine('api', 'ENCRYPTION_KEY is required', 'warn')).toBe(
      'api: ENCRYPTION_KEY is required',
    );
    expect(formatLogLine('api', '{"level":50,', 'warn')).toBe('api: {"level":50,');
    expect(formatLogLine('api', ' ', 'warn')).toBeNull();
  });
});
