import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS } from './base-contracts.ts';
import { buildContract, type ContractEndpoint } from './contract.ts';
import { inspectRequest } from './inspect-request.ts';
import { MESSAGES_CONTRACT } from './messages-contract.ts';
import { classifyBody } from './request-members.ts';

describe('tools whose calls nothing counts', () => {
  const mcp = { type: 'mcp', server_label: 'x' };
  it.each<[ContractEndpoint, Record<string, unknown>, boolean]>([
    ['messages', { tools: [{ type: 'mcp_toolset' }] }, true],
    ['messages', { tools: [{ type: 'tool_search_tool_regex_20251119' }] }, true],
    ['messages', { tools: [{ type: 'code_execution_20250825' }] }, true],
    ['messages', { mcp_servers: [{ name: 'x' }] }, true],
    ['messages', { mcp_servers: [], tools: [{ name: 'f', input_schema: { type: 'mcp' } }] }, false],
    ['messages', { tools: [{ type: 'web_search_20250305' }, { type: 'bash_20250124' }] }, false],
    ['chat', { tools: [mcp] }, true],
    ['chat', { messages: [{ role: 'user', content: 'x', tools: [mcp] }] }, true],
    ['chat', { tools: [{ type: 'function', function: { name: 'mcp' } }] }, false],
    ['responses', { tools: [{ type: 'tool_search' }] }, true],
    ['responses', { tools: [{ type: 'tool_search', execution: 'server' }] }, true],
    ['responses', { tools: [{ type: 'tool_search', execution: 'client' }] }, false],
    ['responses', { tools: [{ type: 'namespace', tools: [mcp] }] }, true],
    ['responses', { input: [{ type: 'additional_tools', tools: [mcp] }] }, true],
    [
      'responses',
      { input: [{ type: 'tool_search_output', tools: [{ type: 'namespace', tools: [mcp] }] }] },
      true,
    ],
    ['responses', { tools: [{ type: 'namespace', tools: [{ type: 'function', name: 'mcp' }] }] }, false],
  ])('are found wherever they are declared: %s %j', (endpoint, body, isFound) => {
    const { members, conversation } = classifyBody(body);
    expect(inspectRequest(members, BASE_CONTRACTS[endpoint], conversation).hasUncountedTools).toBe(isFound);
  });

  it('of an unknown kind that a plan forwards or an operator allows count as uncounted tools', () => {
    const tools = [{ type: 'mystery' }];
    const allowed = buildContract('messages', MESSAGES_CONTRACT, { members: {} }, ['tools.mystery']);
    for (const contract of [BASE_CONTRACTS.messages, allowed])
      expect(inspectRequest({ tools }, contract).hasUncountedTools).toBe(true);
  });
});

describe('compactions of the conversation', () => {
  const edits = (...types: string[]) => ({ context_management: { edits: types.map((type) => ({ type })) } });
  it.each<[ContractEndpoint, Record<string, unknown>, boolean]>([
    ['messages', edits('clear_tool_uses_20250919', 'compact_20260112'), true],
    ['messages', edits('clear_tool_uses_20250919', 'clear_thinking_20251015'), false],
    ['messages', edits(), false],
    ['responses', { context_management: [{ type: 'compaction', compact_threshold: 1_000 }] }, true],
    ['responses', { context_management: [{ type: 'compaction' }] }, true],
    ['responses', { context_management: [] }, false],
  ])('are found: %s %j', (endpoint, body, isFound) => {
    expect(inspectRequest(body, BASE_CONTRACTS[endpoint]).hasCompaction).toBe(isFound);
  });
});
