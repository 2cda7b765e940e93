import { encodeAnthropicRequest } from '../anthropic-messages/encode-request.ts';
import type { Encoded } from '../encoded.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { encodeOpenAiChatRequest } from '../openai-chat/encode-request.ts';
import { decodeOpenAiResponsesRequest } from '../openai-responses/decode-request.ts';

export const FUNCTION = { type: 'function', name: 'read', parameters: { type: 'object', properties: {} } };
export const PATCH = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};
const AGENTS = { type: 'namespace', name: 'multi_agent_v1', tools: [{ ...FUNCTION, name: 'spawn_agent' }] };
export const SEARCH = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
};
/** The tools that Codex declares. */
const TOOLS = [
  FUNCTION,
  PATCH,
  AGENTS,
  SEARCH,
  { type: 'local_shell' },
  { type: 'web_search', external_web_access: true },
];
export const getBody = (change: JsonObject = {}): JsonObject => ({
  model: 'm',
  input: [{ role: 'user', content: 'Hi' }],
  tools: TOOLS,
  ...change,
});

function getEncoded(change: JsonObject, encode: (request: never) => Encoded) {
  const decoded = decodeOpenAiResponsesRequest(JSON.parse(JSON.stringify(getBody(change))));
  if (!decoded.ok) throw new Error(`${decoded.error.param}: ${decoded.error.message}`);
  return encode(decoded.value as never);
}
export const toChat = (change: JsonObject) => getEncoded(change, encodeOpenAiChatRequest);
export const toMessages = (change: JsonObject) =>
  getEncoded(change, (request) => encodeAnthropicRequest(request, { defaultMaxTokens: 10 }));

export function sent(encoded: Encoded): { body: JsonObject; dropped: string[] } {
  if (!encoded.ok) throw new Error(`${encoded.error.param}: ${encoded.error.message}`);
  return encoded;
}

export const getList = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : []).map((each) => asObject(each) ?? {});
