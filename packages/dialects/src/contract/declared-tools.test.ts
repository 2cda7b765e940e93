import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS } from './base-contracts.ts';
import type { ContractEndpoint } from './contract.ts';
import { inspectRequest } from './inspect-request.ts';
import { classifyBody } from './request-members.ts';

const ADVISOR = { type: 'advisor_20260301', name: 'advisor', model: 'dear' };
const SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };

function inspect(body: Record<string, unknown>, endpoint: ContractEndpoint) {
  const { members, conversation } = classifyBody(body);
  return inspectRequest(members, BASE_CONTRACTS[endpoint], conversation);
}

/** A message that changes the tools. */
const add = (tool: unknown) => ({ role: 'system', content: [{ type: 'tool_addition', tool }] });
const define = (definition: unknown) => ({ type: 'tool_definition', definition });
const inspectAdded = (tool: unknown) => inspect({ messages: [add(tool)] }, 'messages');

describe('a tool that a part of a message defines', () => {
  it.each([
    ['as a definition', define(ADVISOR), 'messages.0.content.0.tool.definition.0.model'],
    ['itself', ADVISOR, 'messages.0.content.0.tool.0.model'],
  ])('names a model that is checked: %s', (_name, tool, param) => {
    expect(inspectAdded(tool).models).toMatchObject([{ model: 'dear', param }]);
  });

  it('needs its rate', () => {
    expect(inspectAdded(define(SEARCH)).needs).toMatchObject([
      { kind: 'tool_calls', tool: 'web_search', maxCalls: 3 },
    ]);
  });

  it('is restricted, unknown or invalid as in `tools`', () => {
    const added = (type: unknown) => inspectAdded(define({ type }));
    expect(added('code_execution_20250825').restricted).toHaveLength(1);
    expect(added('mystery').unknownEntries).toMatchObject([{ name: 'tools.mystery' }]);
    expect(added(['web_search']).error).toMatchObject({ code: 'invalid_request' });
    expect(inspectAdded(define('web_search')).error).toMatchObject({ code: 'invalid_request' });
  });

  it('is found in a list of tools of a part, and in a list of lists', () => {
    const parts = [{ type: 'tool_addition', tools: [ADVISOR] }];
    for (const messages of [[{ role: 'system', content: parts }], [[{ role: 'system', content: parts }]]])
      expect(inspect({ messages }, 'messages').models).toHaveLength(1);
  });

  it('changes nothing if it is the caller’s, or only a reference', () => {
    for (const tool of [define({ name: 'f', input_schema: {} }), { type: 'tool_reference', name: 'f' }, 'f'])
      expect(inspectAdded(tool)).toMatchObject({ error: null, needs: [], models: [], unknownEntries: [] });
  });
});

it('does not take the tools that an MCP server listed for declared ones', () => {
  const tools = [{ name: 'search', description: 'Searches', input_schema: { type: 'object' } }];
  const input = [{ type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools }];
  const found = inspect({ input }, 'responses');
  expect(found).toMatchObject({ error: null, unknownEntries: [], restricted: [] });
});
