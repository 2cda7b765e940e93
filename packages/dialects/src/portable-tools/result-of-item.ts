import type { ToolResultContent } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import { FieldReader } from '../json/field-reader.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeParts, textPart } from '../openai-responses/decode-part.ts';
import { getCallId } from './call-of-item.ts';
import { readDeclaredTools } from './responses-tools.ts';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/**
 * Reads the item of a result that the client returned for a call of a tool that it runs.
 * @returns null for any other item
 */
export function resultOfItem(item: JsonObject): ToolMessage | null {
  const result = (content: ToolResultContent[], isError = false): ToolMessage => ({
    role: 'tool',
    callId: getCallId(item),
    content,
    isError,
    cache: null,
  });
  switch (item['type']) {
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return result(getContent(item));
    case 'apply_patch_call_output':
      return result(getContent(item), item['status'] === 'failed');
    case 'shell_call_output':
      return result([textPart(describeRuns(item['output']))]);
    case 'tool_search_output':
      return item['execution'] === 'server' ? null : result([textPart(describeFound(item['tools']))]);
    default:
      return null;
  }
}

function getContent(item: JsonObject): ToolResultContent[] {
  const parts = decodeParts({ object: item, key: 'output', at: '' }, new FieldReader());
  return parts.filter((part) => part.type !== 'audio');
}

/** Output, errors and exit code of each command. */
function describeRuns(output: unknown): string {
  const runs: unknown[] = Array.isArray(output) ? output : [];
  return runs
    .map((run) => describeRun(asObject(run) ?? {}))
    .filter((text) => text !== '')
    .join('\n\n');
}

function describeRun({ stdout, stderr, outcome }: JsonObject): string {
  const texts = [stdout, stderr, describeOutcome(outcome)];
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}

/** @returns an empty text for an entry without an outcome: a translation must not write much more than its caller did */
function describeOutcome(outcome: unknown): string {
  const { type, exit_code: code } = asObject(outcome) ?? {};
  if (type === 'timeout') return 'The command timed out.';
  return code === undefined ? '' : `Exit code: ${JSON.stringify(code)}`;
}

function describeFound(tools: unknown): string {
  const { client } = readDeclaredTools(tools);
  if (client.length === 0) return 'No tools were found.';
  return `These tools can be called now: ${client.map(({ functionName }) => functionName).join(', ')}`;
}
