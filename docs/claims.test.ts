import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { envSchema as apiEnv } from '../api/src/env.ts';
import { createOpenApiDocument } from '../api/src/openapi/document.ts';
import { envSchema as consoleEnv } from '../console/server/env.ts';
import { createProgram } from '../packages/cli/src/program.ts';
import { envSchema as cliEnv } from '../packages/cli/src/env.ts';
import { ERROR_TABLE } from '../packages/core/src/errors/errors.ts';
import { API_ENVIRONMENT, apiNodeFlags } from '../packages/core/src/runtime/api-node-flags.ts';
import { PRESETS } from '../packages/upstreams/src/presets/presets.ts';
import { ALL, codeIn, CURRENT, fencedLines, read, ROOT, tableAfter } from './read-docs.fixture.ts';

const operations = read('docs/operations.md');
const readme = read('README.md');

describe('the table of the environment', () => {
  const rows = tableAfter(operations, '## Configuration');
  const named = rows.flatMap(([names = '']) => codeIn(names));
  const shapes = { ...cliEnv.shape, ...consoleEnv.shape, ...apiEnv.shape };
  /** Set only by `npm start`. */
  const isInternal = (name: string) => name.startsWith('TOLLGATE_');
  /** Read only by the command line, and documented with its commands. */
  const elsewhere = [
    'PROVIDER_API_KEY',
    'SERVICE_API_KEY',
    'HOME',
    'CODEX_HOME',
    'CLAUDE_CONFIG_DIR',
    'XDG_CONFIG_HOME',
  ];

  it('lists exactly the variables that the code reads', () => {
    const known = Object.keys(shapes).filter((name) => !isInternal(name) && !elsewhere.includes(name));
    expect(named.toSorted()).toEqual(known.toSorted());
    for (const name of elsewhere) expect(operations).toContain(`\`${name}\``);
  });

  it('states the actual defaults', () => {
    const defaults: Record<string, unknown> = { ...consoleEnv.parse({}), ...apiEnv.parse({}) };
    const checked = rows.flatMap(([names = '', stated = '']) => {
      const values = codeIn(stated);
      const variables = codeIn(names);
      return variables.length === values.length
        ? variables.map((name, at) => [name, values[at]] as const)
        : [];
    });
    expect(checked.length).toBeGreaterThan(10);
    const getText = (value: unknown) => (typeof value === 'bigint' ? Number(value / 1_000_000_000n) : value);
    const wrong = checked.filter(([name, value]) => {
      const used = name === 'DATA_DIR' ? path.basename(String(defaults[name])) : getText(defaults[name]);
      // Without a fixed default, the table describes how it is determined.
      return used !== undefined && JSON.stringify(used).replaceAll('"', '') !== value;
    });
    expect(wrong).toEqual([]);
  });
});

it('the services are started separately with the variable and the flags of `npm start`', () => {
  const [command = ''] = /[A-Z_]+=\d+ node --[^`]+/.exec(operations) ?? [];
  expect(command.split(' ')[0]).toBe(Object.entries(API_ENVIRONMENT).map((entry) => entry.join('='))[0]);
  expect(command.match(/--\S+/g)).toEqual(apiNodeFlags());
});

describe('errors', () => {
  const statuses = new Set(Object.values(ERROR_TABLE).map(({ status }) => String(status)));

  it('are all in the README, by status', () => {
    const listed = tableAfter(readme, 'Errors have the format of the caller').flatMap(([status = '']) =>
      status.split(', '),
    );
    expect(listed.toSorted()).toEqual([...statuses].toSorted());
  });

  it.each(CURRENT)('have their actual status in %s', (document) => {
    const stated = [...read(document).matchAll(/\b([45]\d\d)\s+`([a-z]+_[a-z_]+)`/g)];
    const wrong = stated.filter(([, status, code = '']) => {
      const known = Object.entries(ERROR_TABLE).find(([name]) => name === code);
      return known === undefined || String(known[1].status) !== status;
    });
    expect(wrong.map(([text]) => text)).toEqual([]);
  });

  it('have their actual status in the table of money', () => {
    const rows = tableAfter(operations, '| status | code ').filter(([status]) => status !== '200');
    for (const [status, codes = ''] of rows)
      for (const code of codeIn(codes))
        expect([code, Object.entries(ERROR_TABLE).find(([name]) => name === code)?.[1].status]).toEqual([
          code,
          Number(status),
        ]);
  });
});

describe('endpoints', () => {
  const paths = Object.keys(createOpenApiDocument().paths ?? {});
  const exists = (endpoint: string) =>
    paths.some(
      (known) =>
        known === endpoint || new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(endpoint),
    );

  it('in the README are those of the OpenAPI description', () => {
    const listed = tableAfter(readme, '## API endpoints').flatMap(([cell = '']) =>
      codeIn(cell).map((code) => code.replace(/^(?:GET|HEAD|POST) /, '')),
    );
    const described = paths.map((each) => each.replaceAll(/\{\w+\}/g, '{id}'));
    expect(listed.filter((each) => each !== '/docs' && each !== '/openapi.json').toSorted()).toEqual(
      described.filter((each) => each !== '/openapi.json').toSorted(),
    );
  });

  it.each(CURRENT)('in %s exist', (document) => {
    const named = codeIn(read(document)).flatMap(
      (code) => /^(?:(?:GET|POST) )?(\/v1\/[\w/-]+)$/.exec(code)?.[1] ?? [],
    );
    expect(named.filter((each) => !exists(each))).toEqual([]);
  });
});

describe('commands', () => {
  const program = createProgram();
  const scripts: unknown = JSON.parse(read('package.json')).scripts;
  const lines = ALL.flatMap((document) => {
    const text = read(document);
    const code = codeIn(text).filter((each) => /^(?:npm run -s )?tollgate (?:-- )?[a-z]/.test(each));
    return [...fencedLines(text), ...code].flatMap((line) => {
      const [, typed] = /(?:^|\s)(?:npm run -s tollgate --|tollgate) ([a-z].*)$/.exec(line) ?? [];
      return typed === undefined ? [] : [[document, typed.replace(/\s+#.*| < \S+$/g, '')] as const];
    });
  });

  it('exist in the documents', () => expect(lines.length).toBeGreaterThan(30));

  it.each(lines)('%s: tollgate %s', (_document, typed) =>
    expect(getProblem(program, words(typed))).toBeNull(),
  );

  it.each(CURRENT)('for npm in %s are in package.json', (document) => {
    const named = [...read(document).matchAll(/npm (?:run (?:-s )?([a-z][\w:]*)|(start|test))\b/g)];
    expect(named.filter(([, run, other]) => !((run ?? other ?? '') in Object(scripts)))).toEqual([]);
  });
});

type Command = ReturnType<typeof createProgram>;

/** @returns why a command line is invalid, or null */
function getProblem(program: Command, typed: readonly string[]): string | null {
  let command = program;
  let rest = [...typed];
  for (let next = find(command, rest[0]); next !== undefined; next = find(command, rest[0])) {
    command = next;
    rest = rest.slice(1);
  }
  if (command === program) return `no command ${typed.join(' ')}`;
  const { operands, unknown } = command.parseOptions(rest);
  if (unknown.length > 0) return `unknown: ${unknown.join(' ')}`;
  const most = command.registeredArguments.length;
  return operands.length > most ? `too many arguments: ${operands.join(' ')}` : null;
}

function find(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((each) => each.name() === name);
}

/** Splits at spaces outside quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

describe('links', () => {
  it.each(ALL)('in %s have a target', (document) => {
    const links = [
      ...read(document)
        .replaceAll(/```[\s\S]*?```/g, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map((match) => match[1] ?? '');
    const dead = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file);
      if (!existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && !getAnchors(read(target)).has(anchor);
    });
    expect(dead).toEqual([]);
  });
});

/** The anchors that GitHub generates from headings. */
function getAnchors(document: string): Set<string> {
  const headings = [...document.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

describe('names', () => {
  const sources = globSync(['{api,db,console,packages}/**/src/**/*.{ts,tsx}', '{api,console}/**/*.ts'], {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules') || name.includes('/dist/'),
  })
    .filter((file) => !file.includes('node_modules'))
    .map(read)
    .join('\n');

  it.each(CURRENT)('of headers in %s exist in the source', (document) => {
    const headers = new Set([...read(document).matchAll(/\bx-tollgate-[a-z-]+[a-z]/g)].map(([name]) => name));
    expect([...headers].filter((name) => !sources.includes(name))).toEqual([]);
  });

  it('of test variables in CONTRIBUTING.md are read by a test', () => {
    const variables = new Set(
      [...read('CONTRIBUTING.md').matchAll(/\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/g)].map(([name]) => name),
    );
    const tests = globSync(['{api,db,console,packages,scripts,docs}/**/*.{ts,tsx,mjs}'], { cwd: ROOT })
      .filter((file) => !file.includes('node_modules'))
      .map(read)
      .join('\n');
    expect([...variables].filter((name) => !tests.includes(name))).toEqual([]);
  });

  it('of presets: the README states their number', () => {
    expect(readme).toContain('one of seventeen presets');
    expect(PRESETS).toHaveLength(17);
  });
});
