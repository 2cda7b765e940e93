import { createHash } from 'node:crypto';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import { getBlocks, getTurns, type Block, type Turn } from './messages-turns.ts';
import type { AnswerWishes, ReadRequest, SeenConversation } from './seen-conversation.ts';
import { findHiddenReasoning } from './reasoning-signature.ts';

/** Parses a valid request to `/v1/messages`. */
export function readMessagesRequest(body: Record<string, unknown>): ReadRequest {
  const turns = getTurns(body);
  const thinking = asObject(body['thinking'])['type'];
  const seen: SeenConversation = {
    system: getText(getBlocks(body['system'], 'system')),
    said: [],
    turns: turns.filter(({ role }) => role === 'assistant').length,
    results: [],
    images: [],
    reasoning: [],
    thinks: thinking === 'enabled' || thinking === 'adaptive',
  };
  const calls = new Map<unknown, Block>();
  for (const turn of turns) {
    const said = getText(turn.blocks);
    if (turn.role === 'user' && said !== '') seen.said.push(said);
    for (const { block } of turn.blocks) {
      if (block['type'] === 'tool_use') calls.set(block['id'], block);
      readBlock(block, calls, seen);
    }
  }
  return { seen, wishes: requestOptions(body) };
}

function readBlock(block: Block, calls: ReadonlyMap<unknown, Block>, seen: SeenConversation): void {
  switch (block['type']) {
    case 'thinking':
      seen.reasoning.push(String(block['thinking']));
      return;
    case 'redacted_thinking':
      seen.reasoning.push(findHiddenReasoning(block['data'])?.text ?? '');
      return;
    case 'image':
      seen.images.push(computeDigest(String(asObject(block['source'])['data'])));
      return;
    case 'tool_result': {
      const call = calls.get(block['tool_use_id']);
      const content = getBlocks(block['content'], '');
      seen.results.push({
        id: String(block['tool_use_id']),
        name: String(call?.['name']),
        input: call?.['input'],
        text: getText(content),
        isError: block['is_error'] === true,
      });
      for (const inner of content) readBlock(inner.block, calls, seen);
      return;
    }
    default:
  }
}

function getText(blocks: Turn['blocks']): string {
  const texts = blocks.filter(({ block }) => block['type'] === 'text');
  return texts.map(({ block }) => String(block['text'])).join('\n');
}

function requestOptions(body: Record<string, unknown>): AnswerWishes {
  const tools: unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  const choice = asObject(body['tool_choice']);
  const format = asObject(asObject(body['output_config'])['format']);
  const stops: unknown[] = Array.isArray(body['stop_sequences']) ? body['stop_sequences'] : [];
  return {
    tools: tools.map(asObject).map(({ name, input_schema: schema }) => ({
      name: String(name),
      schema: asObject(schema),
    })),
    choice: getChoice(choice),
    isParallel: choice['disable_parallel_tool_use'] !== true,
    schema: format['type'] === 'json_schema' ? asObject(format['schema']) : null,
    stops: stops.map(String),
    maxTokens: typeof body['max_tokens'] === 'number' ? body['max_tokens'] : null,
  };
}

function getChoice(choice: Record<string, unknown>): AnswerWishes['choice'] {
  const { type } = { type: 'auto', ...choice };
  if (type === 'tool') return { name: String(choice['name']) };
  return type === 'none' || type === 'any' ? type : 'auto';
}

/** SHA-256, in hex, of base64-encoded bytes. */
export function computeDigest(base64: string): string {
  return createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
}
