import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { envSchema as apiEnv } from '../api/src/env.ts';
import { envSchema as consoleEnv, readEnv } from '../console/server/env.ts';
import { parseStripeEvent } from '../console/server/payments/parse-event.ts';
import { allowedMemberSchema } from '../packages/core/src/providers/allowed-members.ts';
import { createProgram } from '../packages/cli/src/program.ts';
import { findModelChooser } from '../packages/dialects/src/contract/model-choosers.ts';
import { MODEL_CATALOGUE } from '../packages/upstreams/src/catalogue/model-catalogue.ts';
import { PRESETS } from '../packages/upstreams/src/presets/presets.ts';
import { DEFAULT_TIMEOUTS } from '../packages/upstreams/src/transport/transport.ts';
import { codeIn, CURRENT, isInCheckout, listSources, read, ROOT, tableAfter } from './read-docs.fixture.ts';

const operations = read('docs/operations.md');
const readme = read('README.md');
const flat = operations.replaceAll(/\s+/g, ' ');

type Command = ReturnType<typeof createProgram>;

/** Every option of a command and of those below it. */
function getOptions(command: Command): Command['options'][number][] {
  return [...command.options, ...command.commands.flatMap(getOptions)];
}
const options = getOptions(createProgram());

/** The first group of a pattern. Fails if it is empty. */
function found(text: string, pattern: RegExp): string {
  const [, group = ''] = pattern.exec(text) ?? [];
  expect(group, `${pattern} finds nothing`).not.toBe('');
  return group;
}

it.each(CURRENT)('flags in %s are flags of commands', (document) => {
  const named = codeIn(read(document)).flatMap((code) => /^(--[a-z0-9-]+)/.exec(code)?.[1] ?? []);
  const known = new Set(options.map(({ long }) => long));
  expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  if (document === 'docs/operations.md') expect(named.length).toBeGreaterThan(10);
});

it.each(CURRENT)('folders in %s exist', (document) => {
  const folders = codeIn(read(document)).filter((code) =>
    /^(?:api|console|db|docs|packages|scripts|\.ci)\//.test(code),
  );
  expect(folders.filter((folder) => !isInCheckout(folder))).toEqual([]);
});

it('the listed values of variables are the accepted ones', () => {
  const meanings = new Map(tableAfter(operations, '## Configuration').map((row) => [row[0], row[2] ?? '']));
  const levels = apiEnv.shape.LOG_LEVEL.unwrap().options;
  expect(codeIn(meanings.get('`LOG_LEVEL`') ?? '').toSorted()).toEqual(levels.toSorted());
  for (const level of levels) expect(consoleEnv.parse({ LOG_LEVEL: level }).LOG_LEVEL).toBe(level);
  expect(codeIn(meanings.get('`DEMO_PROVIDER`') ?? '')).toEqual(apiEnv.shape.DEMO_PROVIDER.unwrap().options);
});

it.each(['--unknown-members', '--tpm-cache-reads'])('the rules of %s are documented', (name) => {
  const rules = found(operations, new RegExp(`${name} ([a-z|]+)\``)).split('|');
  const about = options.find(({ long }) => long === name)?.description ?? '';
  expect(rules).toHaveLength(3);
  for (const rule of rules) expect(about).toContain(rule);
});

it('the examples for --allow are valid', () => {
  const examples = codeIn(
    found(operations, /`--allow` forwards some of them by name: ([^.]*\.[^.]*\.[^.]*\.[^.]*)\./),
  );
  expect(examples.length).toBeGreaterThan(3);
  expect(examples.filter((name) => !allowedMemberSchema.safeParse(name).success)).toEqual([]);
});

it('unknown members that may select a model are detected', () => {
  const named = codeIn(found(operations, /unknown members that may choose another \(([^)]*)\)/));
  expect(named).toHaveLength(4);
  expect(named.filter((name) => findModelChooser(name, 'x') === null)).toEqual([]);
});

it('the limits of a provider have the documented defaults, also in the help', () => {
  const rows = tableAfter(operations, 'Set the limits of a provider');
  expect(rows).toHaveLength(5);
  for (const [flag = '', , stated = ''] of rows) {
    const [name = ''] = codeIn(flag);
    const member = name.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const used = Object.entries(DEFAULT_TIMEOUTS).find(
      ([timeout]) => `${timeout.slice(0, -2)}TimeoutMs` === member,
    )?.[1];
    expect([name, stated]).toEqual([name, used === undefined ? 'no limit' : used.toLocaleString('en-US')]);
    const help = options.find(({ long }) => long === name)?.description;
    expect(help).toContain(`(default: ${stated.replaceAll(',', '')})`);
  }
});

it('the listed providers with models are those of the catalogue', () => {
  const named = found(flat, /With `--with-models`, a provider of ([^`]*?) comes with the models/).split(
    /, | or /,
  );
  const known = new Set(MODEL_CATALOGUE.map(({ preset }) => preset).filter((preset) => preset !== 'demo'));
  expect(named.map((name) => name.toLowerCase()).toSorted()).toEqual([...known].toSorted());
});

it('the README names providers that have a preset', () => {
  const [named = ''] = /presets\s+\(([^)]*)\)/.exec(readme)?.slice(1) ?? [];
  const names = named
    .replaceAll('…', '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const titles = PRESETS.map(({ title }) => title.toLowerCase());
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !titles.some((title) => title.includes(name)))).toEqual([]);
});

it('the README uses the addresses of an installation without settings', () => {
  const settings = readEnv({});
  if (!settings.ok) throw new Error('Without settings the console starts');
  expect(readme).toContain(`\`{base_url}\` is \`${settings.env.publicApiUrl}\``);
  const origins = [...readme.matchAll(/http:\/\/127[^\s"'/`]+/g)].map(([origin]) => origin);
  expect(new Set(origins)).toEqual(new Set([new URL(settings.env.publicApiUrl).origin]));
  const models = [...readme.matchAll(/\bmodel"?\s*[:=]\s*["']([^"']+)["']/g)].map((match) => match[1]);
  expect(new Set(models)).toEqual(new Set(['tollgate-demo']));
  expect(MODEL_CATALOGUE.find(({ id }) => id === 'tollgate-demo')?.preset).toBe('demo');
});

it('the console handles exactly the listed Stripe events', () => {
  const patterns = codeIn(found(flat, /with the events (.*?)\. Tollgate checks/)).map((name) =>
    name.startsWith('.') ? `payment_intent${name}` : name,
  );
  const types = [...read('console/server/payments/parse-event.ts').matchAll(/case '([a-z_.]+)':/g)].map(
    (match) => match[1] ?? '',
  );
  const fits = (type: string, pattern: string) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
  expect(patterns.filter((pattern) => !types.some((type) => fits(type, pattern)))).toEqual([]);
  // `refund.updated` is its newer name.
  expect(types.filter((type) => !patterns.some((pattern) => fits(type, pattern)))).toEqual([
    'charge.refund.updated',
  ]);
  const event = { id: 'evt_1', type: 'customer.created', created: 1, data: { object: {} } };
  expect(parseStripeEvent(event).fact).toBeNull();
});

it('the console serves the addresses for other services', () => {
  const stated = new Set([...operations.matchAll(/`\{console\}(\/[a-z/-]+)`/g)].map((match) => match[1]));
  const signIn = ['github', 'google', 'oidc'].map((provider) => `/sign-in/${provider}`);
  expect(stated).toEqual(new Set([...signIn, '/webhooks/stripe']));
  expect(read('console/server/auth/external/start.ts')).toContain('}/sign-in/${provider}`');
  expect(read('console/server/http/webhooks.ts')).toContain("'/webhooks/stripe'");
});

it.each([
  ['`requests.operator_cost_nano_usd`', 'db/src/schema/requests.ts', "'operator_cost_nano_usd'"],
  ['`requests.attempts`', 'db/src/schema/requests.ts', "'attempts'"],
  ['`payment_events`', 'db/src/schema/payments.ts', "'payment_events'"],
  ['`remove-payment-data`', 'console/server/payments/remove-payment-data.ts', "'remove-payment-data'"],
  ['`price_mismatch`', 'db/src/schema/requests.ts', "'price_mismatch'"],
  ['`bodies of requests are lost`', 'api/src/bodies/body-queue.ts', "'bodies of requests are lost: "],
  ['`rejected.ndjson`', 'packages/ledger/src/spool.ts', "'rejected.ndjson'"],
  ['`DATA_DIR/spool`', 'api/src/workers/worker-place.ts', "path.join(dataDir, 'spool')"],
  ['`DATA_DIR/secrets.json`', 'db/src/embedded/embedded-secrets.ts', "path.join(dataDir, 'secrets.json')"],
  ['`DATA_DIR/postgres.json`', 'db/src/embedded/embedded-place.ts', "'postgres.json'"],
  ['`__Host-`', 'console/server/auth/browser-cookie.ts', '__Host-'],
  ['AES-256-GCM', 'packages/auth/src/seal.ts', "'aes-256-gcm'"],
])('%s of docs/operations.md is in %s', (stated, file, name) => {
  expect(flat).toContain(stated);
  expect(read(file)).toContain(name);
});

it('the stated connection limits match the code', () => {
  const stated = /A replica opens at most (\d+) connections, the console (\d+)\./
    .exec(flat)
    ?.slice(1)
    .map(Number);
  const pool = Number(found(read('db/src/client.ts'), /maxConnections \?\? (\d+)/));
  const alone = listSources('db/src')
    .map((file) => read(file).match(/new PatientConnection\(/g)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const stored = Number(found(read('api/src/stored/stored-state.ts'), /MAX_CONNECTIONS = (\d+)/));
  // In addition to the pool, each service has a connection for notifications: the console one of jobs, and one of changes.
  expect(stated).toEqual([pool + alone + stored + 1, pool + 2]);
  const advice = `an api process needs ${stated?.[0]}, the console ${stated?.[1]}.`;
  expect(read('db/src/explain/explain-database-error.ts')).toContain(advice);
});

it('the README lists every folder and package', () => {
  const rows = tableAfter(readme, '## Repository');
  const folders = rows.map(([folder = '']) => codeIn(folder)[0] ?? '');
  const [listed = ''] = /^packages:\n(?: +- .+\n)+/m.exec(read('pnpm-workspace.yaml')) ?? [];
  const workspaces = [...listed.matchAll(/^ +- (\w+)/gm)].map((match) => `${match[1]}/`);
  expect(workspaces.length).toBeGreaterThan(3);
  expect(workspaces.filter((folder) => !folders.includes(folder))).toEqual([]);
  const packages = codeIn(rows.find(([folder]) => folder === '`packages/`')?.[1] ?? '');
  expect(packages.toSorted()).toEqual(readdirSync(path.join(ROOT, 'packages')).toSorted());
});

it('scripts/ is plain JavaScript', () => {
  const files = globSync('scripts/**/*.*', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !file.endsWith('.mjs'))).toEqual([]);
});

it('the README names the license', () => {
  const name = found(readme, /\n([\w.-]+)\.\n$/);
  expect(JSON.parse(read('package.json')).license).toBe(name);
  expect(read('LICENSE')).toContain('Apache License');
});
