import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const MODULE = new URL('survive-lost-connection.ts', import.meta.url).href;

/** Runs a process in which a promise with this error is rejected and handled nowhere. */
async function rejectUnhandled(reason: string) {
  const code = `
    import { surviveLostConnection } from ${JSON.stringify(MODULE)};
    surviveLostConnection({ error: ({ err }, message) => console.log(message + ': ' + err.message) });
    void Promise.reject(${reason});
    setTimeout(() => console.log('alive'), 50);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return { stdout, stderr, exitCode };
}

it('logs a lost connection that no caller could handle, and the process keeps running', async () => {
  const ended = await rejectUnhandled(
    `Object.assign(new Error('write gone'), { code: 'CONNECTION_CLOSED' })`,
  );
  expect(ended.stdout).toBe('Unhandled rejection after a lost connection to PostgreSQL: write gone\nalive\n');
  expect(ended.exitCode).toBe(0);
});

it.each(["new Error('an error of our own')", "'no error at all'"])(
  'ends the process on %s',
  async (error) => {
    const { stdout, stderr, exitCode } = await rejectUnhandled(error);
    expect(stdout).toBe('');
    expect(stderr).toContain(error.includes('own') ? 'an error of our own' : 'no error at all');
    expect(exitCode).not.toBe(0);
  },
);
