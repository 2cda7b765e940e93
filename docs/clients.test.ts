import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CLIENTS, findDescribedClient, nameClient } from '../packages/core/src/clients/clients.ts';
import { CLIENT_IDS } from '../packages/core/src/clients/client.ts';
import { read, ROOT } from './read-docs.fixture.ts';
import { markEnd, markStart, renderClientDoc, renderClientIndex } from './render-client-doc.fixture.ts';

const FOLDER = path.join(ROOT, 'docs/clients');

// After a change of the table: npm test -- --run docs/clients -u
it.each(CLIENTS.map((client) => [client.id, client] as const))(
  'the page of %s has the configuration of the table',
  async (id, client) => {
    const file = path.join(FOLDER, `${id}.md`);
    await expect(renderClientDoc(client)).toMatchFileSnapshot(file);
  },
);

it('the index lists every client, and keeps the tables of tested clients', async () => {
  const index = read('docs/clients/README.md');
  const getTable = (name: string) => {
    const [, after = ''] = index.split(markStart(name));
    const [table = ''] = after.split(markEnd(name));
    expect(table).not.toBe('');
    return table;
  };
  const matrices = { matrix: getTable('matrix'), 'Python matrix': getTable('Python matrix') };
  await expect(renderClientIndex(matrices)).toMatchFileSnapshot(path.join(FOLDER, 'README.md'));
});

it('every client has a page, and every page a client', () => {
  const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md');
  expect(pages.toSorted()).toEqual(CLIENT_IDS.map((id) => `${id}.md`).toSorted());
  expect(CLIENTS.map(({ id }) => id)).toEqual(CLIENT_IDS);
});

it.each(CLIENTS.map((client) => [client.id, client] as const))(
  'the configuration of %s contains the address and the name of the key, but no key',
  (_, client) => {
    const { shell, file, code } = client.setUp({
      baseUrl: 'https://gateway.example/v1',
      model: 'a-model',
      smallModel: 'a-model',
    });
    const text = [shell, file?.text, code?.text].join('\n');
    expect(text).toContain('https://gateway.example');
    expect(text).toContain(client.id === 'openai' ? 'a-model' : 'SERVICE_API_KEY');
    expect(text).not.toMatch(/sk-/);
  },
);

it.each([
  ['codex_exec 0.171.0', 'codex', 'Codex 0.171.0'],
  ['claude-cli 2.1.332', 'claude-code', 'Claude Code 2.1.332'],
  ['opencode', 'opencode', 'OpenCode'],
  ['curl 8.5.0', 'curl', 'curl 8.5.0'],
  ['python-requests 2.32.0', null, 'python-requests 2.32.0'],
])('%s is the client %s, named %s', (described, id, name) => {
  expect(findDescribedClient(described)?.id ?? null).toBe(id);
  expect(nameClient(described)).toBe(name);
});
