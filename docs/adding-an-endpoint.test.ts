import { expect, it } from 'vitest';
import { codeIn, listSources, read } from './read-docs.fixture.ts';

const [, GUIDE = ''] = read('CONTRIBUTING.md').split('## Add an endpoint\n');
const [SECTION = ''] = GUIDE.split('\n## ');

/** Code for the endpoint that the section takes as its example. */
const EXAMPLE = /'\/v1\/embeddings'|\bembeddings(Endpoint|Path)?['":]|\bEMBEDDINGS_CONTRACT\b/;

it('"Add an endpoint" names every file or folder that knows its example', () => {
  const sources = ['api/src', 'packages/core/src', 'packages/dialects/src', 'packages/upstreams/src']
    .flatMap(listSources)
    .filter((file) => !file.startsWith('packages/upstreams/src/catalogue/'));
  const files = sources.filter((file) => EXAMPLE.test(read(file)));
  expect(files.length).toBeGreaterThan(10);
  const named = codeIn(SECTION);
  const isNamed = (file: string) =>
    named.some((name) => name === file || (name.endsWith('/') && file.startsWith(name)));
  expect(files.filter((file) => !isNamed(file))).toEqual([]);
});
