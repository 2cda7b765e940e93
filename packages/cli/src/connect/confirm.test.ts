/** The question on a real terminal. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEnv, MAIN } from '../testing/run-tollgate.ts';
import { isTerminalMissing, runInTerminal } from '../testing/run-in-terminal.ts';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tollgate-confirm-'));
  file = path.join(home, '.codex/config.toml');
});
afterEach(() => rmSync(home, { recursive: true }));

const ask = (answer: () => string, variables: Record<string, string> = {}) =>
  runInTerminal({
    command: [process.execPath, MAIN, 'connect', 'codex', '--write', '--no-test'],
    env: createEnv({ HOME: home, ...variables }),
    question: '[y/N]',
    answer,
  });

const writeExisting = (text: string) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

describe.skipIf(isTerminalMissing)('the question before a file is written', { timeout: 30_000 }, () => {
  it.each(['y\r', 'Yes\r'])('writes after %j', async (keys) => {
    const { output, exitCode } = await ask(() => keys);
    expect(output).toContain('+wire_api = "responses"');
    expect(output).toContain(`Write ${file}? [y/N]`);
    expect(readFileSync(file, 'utf8')).toContain('wire_api = "responses"');
    expect(exitCode).toBe(0);
  });

  it.each([
    ['no', 'n\r'],
    ['Enter', '\r'],
    ['another word', 'yesterday\r'],
    ['the end of input', '\u0004'],
    ['Ctrl-C', '\u0003'],
  ])('changes nothing after %s', async (_, keys) => {
    const { output, exitCode } = await ask(() => keys);
    expect(output).toContain('Nothing was changed.');
    expect(output).not.toMatch(/Error|Warning|at .*\.ts:/);
    expect(existsSync(file)).toBe(false);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['changed', 'model = "a"\n', () => writeFileSync(file, 'model = "b"\n'), 'model = "b"\n'],
    ['created', null, () => writeExisting('model = "b"\n'), 'model = "b"\n'],
    ['removed', 'model = "a"\n', () => rmSync(file), null],
  ])('refuses to write over a file that was %s in the meantime', async (_, before, change, after) => {
    if (before !== null) writeExisting(before);
    const { output, exitCode } = await ask(() => {
      change();
      return 'y\r';
    });
    expect(output).toContain('Nothing was written');
    expect(exitCode).toBe(1);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(after);
    expect(readdirSync(path.dirname(file))).toEqual(after === null ? [] : ['config.toml']);
  });
});
