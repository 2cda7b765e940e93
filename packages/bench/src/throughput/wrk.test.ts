import { describe, expect, it } from 'vitest';
import { encodeScript, parseWrkOutput } from './wrk.ts';

const NOISE = 'Running 4s test @ http://127.0.0.1:1/v1\n  1 threads and 64 connections\n';

describe('parseWrkOutput', () => {
  it('reads the figures of the script out of what wrk prints', () => {
    const result = parseWrkOutput('nginx', `${NOISE}tollgate-bench 352000 4000000 690 3360 0 0\n`);
    expect(result).toEqual({ requests: 352_000, requestsPerSecond: 88_000, p50Ms: 0.69, p99Ms: 3.36 });
  });

  it('refuses a run with errors, however fast they came', () => {
    expect(() => parseWrkOutput('gateway', 'tollgate-bench 900 1000000 5 9 900 0\n')).toThrow(
      '900 were answered',
    );
    expect(() => parseWrkOutput('gateway', 'tollgate-bench 900 1000000 5 9 0 3\n')).toThrow('3 broke');
    expect(() => parseWrkOutput('gateway', 'tollgate-bench 0 1000000 0 0 0 0\n')).toThrow('of 0 requests');
  });

  it('accepts a warm-up without an answer, but none with errors', () => {
    expect(parseWrkOutput('gateway', 'tollgate-bench 0 1000000 0 0 0 0\n', true).requests).toBe(0);
    expect(() => parseWrkOutput('gateway', 'tollgate-bench 0 1000000 0 0 0 3\n', true)).toThrow('3 broke');
  });

  it('shows what wrk said where it measured nothing', () => {
    expect(() => parseWrkOutput('nginx', 'unable to connect')).toThrow('unable to connect');
  });
});

it('sends the keys in turns if there are several', () => {
  expect(encodeScript({ authorization: 'Bearer a' }, ['a'])).not.toContain('function request');
  expect(encodeScript({ authorization: 'Bearer a' }, ['a', 'b'])).toContain(
    'local keys, files = {"a", "b"}, {}',
  );
});

it('sends each header as a Lua string', () => {
  expect(encodeScript({ 'x-a': 'say "hi"' })).toContain('wrk.headers["x-a"] = "say \\"hi\\""');
});

it('sends the files in turns, also with one key', () => {
  const script = encodeScript({ authorization: 'Bearer a' }, ['a'], { bodyFiles: ['/tmp/1', '/tmp/2'] });
  expect(script).toContain('local keys, files = {"a"}, {"/tmp/1", "/tmp/2"}');
});
