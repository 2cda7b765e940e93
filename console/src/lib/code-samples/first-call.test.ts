import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderSnippets } from './first-call.ts';

const INPUT = { baseUrl: 'http://127.0.0.1:8787/v1', secret: 'sk-abc', model: 'gpt-5-mini' };

/** Runs a snippet with a `curl` that prints its arguments, one a line, and gives back what a server would get. */
function runInShell(snippet: string, key?: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${snippet}\n`;
  const env = { PATH: '/usr/bin:/bin', ...(key === undefined ? {} : { SERVICE_API_KEY: key }) };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).trimEnd().split('\n');
}

describe('snippets', () => {
  it('set the key and make a call with it as pasted into a shell', () => {
    const lines = runInShell(renderSnippets(INPUT).shell);
    expect(lines[0]).toBe('http://127.0.0.1:8787/v1/chat/completions');
    expect(lines).toContain('Authorization: Bearer sk-abc');
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('stream with curl by the key of the environment', () => {
    const lines = runInShell(renderSnippets(INPUT).curl, 'sk-from-env');
    expect(lines).toContain('Authorization: Bearer sk-from-env');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ stream: true });
  });

  it('survive quotes in the name of a model', () => {
    const model = `it's "odd" $HOME \\ model`;
    const { shell, python, typescript } = renderSnippets({ ...INPUT, model });
    expect(JSON.parse(runInShell(shell).at(-1) ?? '')).toMatchObject({ model });
    expect(python).toContain(JSON.stringify(model));
    expect(typescript).toContain(JSON.stringify(model));
  });

  it('leave /v1 to the Anthropic SDK, which appends it automatically', () => {
    const { anthropic, python } = renderSnippets(INPUT);
    expect(anthropic).toContain('base_url="http://127.0.0.1:8787",');
    expect(python).toContain('base_url="http://127.0.0.1:8787/v1",');
  });

  it('show the key only in the shell sample', () => {
    const { shell, ...others } = renderSnippets(INPUT);
    expect(shell).toContain('sk-abc');
    expect(Object.values(others).join('\n')).not.toContain('sk-abc');
  });
});
