import { expect, it } from 'vitest';
import { CLIENTS, findDescribedClient, listFamilies, nameClient } from './clients.ts';

it.each([
  ['codex_exec 0.171.0', 'codex', 'Codex 0.171.0'],
  ['claude-cli', 'claude-code', 'Claude Code'],
  // Aider and LangChain send these too, but so does every program with the SDK.
  ['OpenAI/Python 3.57.0', 'openai', 'OpenAI/Python 3.57.0'],
  ['AsyncOpenAI/Python 3.57.0', 'openai', 'AsyncOpenAI/Python 3.57.0'],
  ['langchain-anthropic 1.5.0', 'langchain', 'langchain-anthropic 1.5.0'],
  // Cline sends this, but so does every program with this provider of the AI SDK.
  ['ai-sdk/openai-compatible 2.0.1', undefined, 'ai-sdk/openai-compatible 2.0.1'],
  ['python-requests 2.32.0', undefined, 'python-requests 2.32.0'],
])('%s is found as %s and named %s', (described, id, name) => {
  expect(findDescribedClient(described)?.id).toBe(id);
  expect(nameClient(described)).toBe(name);
});

it('no two clients are identified by the same family', () => {
  const families = CLIENTS.flatMap((client) => client.families);
  expect(new Set(families).size).toBe(families.length);
});

it('a filter for a client matches the families that it shares', () => {
  expect(listFamilies('aider')).toEqual(['OpenAI/Python', 'AsyncOpenAI/Python']);
  expect(listFamilies('langchain')).toContain('langchain-anthropic');
  expect(listFamilies('node')).toEqual(['node']);
});
