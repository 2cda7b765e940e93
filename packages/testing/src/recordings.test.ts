import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeRecordings, loadFixtures, loadRecordings } from './recordings.ts';

afterEach(() => vi.unstubAllEnvs());

describe('fixtures', () => {
  const fixtures = loadFixtures().cases;

  it.each(['openai-chat', 'anthropic-messages'])('cover text, tools, streams and errors of %s', (dialect) => {
    const covers = new Set(
      fixtures.filter((found) => found.dialect === dialect).flatMap((found) => found.covers),
    );
    for (const tag of ['text', 'tool-call', 'stream', 'error-400', 'error-429', 'mid-stream-error'])
      expect(covers).toContain(tag);
  });

  it.each(fixtures)(
    '$name has a request that matches its response',
    ({ request, isStream, responseBody }) => {
      expect(request?.json.stream ?? false).toBe(isStream);
      if (!isStream) expect(() => JSON.parse(responseBody.toString('utf8'))).not.toThrow();
    },
  );
});

describe('loadRecordings', () => {
  function folderWith(files: Record<string, string>): string {
    const root = mkdtempSync(path.join(tmpdir(), 'recordings-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    vi.stubEnv('RECORDINGS_DIR', root);
    return root;
  }

  it('reads bytes unchanged and skips other dialects', () => {
    const meta = { dialect: 'openai-chat', stream: true, status: 200, covers: ['stream'] };
    const root = folderWith({
      'one/case/meta.json': JSON.stringify({ ...meta, response_headers: { 'content-type': 'x' } }),
      'one/case/response.sse': 'data: \r\n\n ',
      'one/other/meta.json': JSON.stringify({ ...meta, dialect: 'openai-responses' }),
      'LICENCES.md': '',
    });
    const set = loadRecordings();
    rmSync(root, { recursive: true });
    expect(set.cases).toMatchObject([
      { name: 'one/case', request: null, isStream: true, responseHeaders: { 'content-type': 'x' } },
    ]);
    expect(set.cases[0]?.responseBody.toString()).toBe('data: \r\n\n ');
    expect(describeRecordings(set)).toBe('Recorded traffic: 1 exchanges, 1 of them streams');
  });

  it('reports the case without a response', () => {
    const meta = JSON.stringify({ dialect: 'openai-chat', stream: false, status: 200 });
    const root = folderWith({ 'one/bare/meta.json': meta });
    expect(() => loadRecordings()).toThrow('The recording one/bare has no response');
    rmSync(root, { recursive: true });
  });

  it('refuses a configured folder that does not exist', () => {
    vi.stubEnv('RECORDINGS_DIR', '/nowhere/at/all');
    expect(() => loadRecordings()).toThrow('RECORDINGS_DIR is /nowhere/at/all, which is no folder');
  });

  it('reports when it uses the fixtures', () => {
    expect(describeRecordings(loadFixtures())).toMatch(
      /^No recorded traffic here .* 31 exchanges, 18 of them/,
    );
  });
});
