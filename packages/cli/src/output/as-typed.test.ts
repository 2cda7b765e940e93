import { expect, it } from 'vitest';
import { readDataDirVariable, readInvocation } from '../env.ts';
import { asTyped } from './as-typed.ts';

const SCRIPT = 'npm run -s tollgate --';

it.each([
  [
    'No keys yet. Create one with `tollgate key create`.',
    `No keys yet. Create one with \`${SCRIPT} key create\`.`,
  ],
  ['Examples:\n  $ tollgate usage', `Examples:\n  $ ${SCRIPT} usage`],
  ['  tollgate route add --model m', `  ${SCRIPT} route add --model m`],
  ['  $ A=1 B=x… tollgate migrate', `  $ A=1 B=x… ${SCRIPT} migrate`],
  ['See `tollgate --help`', `See \`${SCRIPT} --help\``],
])('writes %j as it can be typed', (text, typed) => {
  expect(asTyped(text, SCRIPT)).toBe(typed);
  expect(asTyped(typed, SCRIPT)).toBe(typed);
});

it.each(['tollgate-demo', 'The name is tollgate key', '`tollgate`'])('leaves %j as it is', (text) => {
  expect(asTyped(text, SCRIPT)).toBe(text);
});

it.each([
  [{}, 'tollgate'],
  [{ npm_lifecycle_event: 'npx', npm_command: 'exec' }, 'npx tollgate'],
  [{ npm_lifecycle_event: 'tollgate', npm_command: 'run' }, SCRIPT],
  [{ npm_lifecycle_event: 'start', npm_command: 'start' }, SCRIPT],
])('finds how it is run from %j', (variables, invocation) => {
  expect(readInvocation(variables)).toBe(invocation);
});

it.each([
  [{}, ''],
  [{ DATA_DIR: ' ' }, ''],
  [{ DATA_DIR: '/srv/tollgate' }, 'DATA_DIR=/srv/tollgate '],
  [{ DATA_DIR: "/srv/it's here" }, String.raw`DATA_DIR='/srv/it'\''s here' `],
  [{ DATA_DIR: '/srv/tollgate', DATABASE_URL: 'postgres://db.example/tollgate' }, ''],
])('finds what a command needs to find the installation of %j', (variables, prefix) => {
  expect(readDataDirVariable(variables)).toBe(prefix);
});

it('prints commands with the variable of the installation', () => {
  const invocation = `${readDataDirVariable({ DATA_DIR: '/srv/tollgate' })}${SCRIPT}`;
  expect(asTyped('Next:\n  tollgate provider test own', invocation)).toBe(
    `Next:\n  DATA_DIR=/srv/tollgate ${SCRIPT} provider test own`,
  );
});
