import { asObject } from '../fake-provider/parse-completion-request.ts';
import { getTurns, type Block, type Turn } from './messages-turns.ts';
import { findHiddenReasoning, isSigned } from './reasoning-signature.ts';

/**
 * Errors of the Messages API for a conversation, with its messages (https://docs.anthropic.com/en/api/errors,
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking).
 * @returns the errors, in order of discovery
 */
export function* findMessagesHistoryViolations(body: Record<string, unknown>): Generator<string> {
  const turns = getTurns(body);
  if (turns.length === 0) yield 'messages: at least one message is required';
  if (turns[0]?.role === 'assistant') yield 'messages: first message must use the "user" role';
  const ids = new Set<unknown>();
  for (const [index, turn] of turns.entries()) {
    yield* findBlockViolations(turn, index === turns.length - 1);
    for (const { block, path } of turn.blocks) {
      if (block['type'] !== 'tool_use') continue;
      if (ids.has(block['id'])) yield `${path}: \`tool_use\` ids must be unique`;
      ids.add(block['id']);
    }
    yield* findCallViolations(turn, turns[index + 1], index);
    yield* findResultViolations(turn, turns[index - 1], index);
  }
  yield* findMissingReasoning(turns, body);
}

function* findBlockViolations(turn: Turn, isLast: boolean): Generator<string> {
  if (turn.blocks.length === 0 && !(isLast && turn.role === 'assistant'))
    yield 'messages: all messages must have non-empty content except for the optional final assistant message';
  for (const { block, path } of turn.blocks) {
    switch (block['type']) {
      case 'text':
        if (block['text'] === '') yield `messages: text content blocks must be non-empty`;
        else if (String(block['text']).trim() === '')
          yield 'messages: text content blocks must contain non-whitespace text';
        break;
      case 'tool_use':
        if (!/^[a-zA-Z0-9_-]+$/.test(String(block['id'])))
          yield `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
        break;
      case 'thinking':
        if (!isSigned(String(block['thinking']), block['signature']))
          yield `${path}: Invalid \`signature\` in \`thinking\` block`;
        break;
      case 'redacted_thinking':
        if (findHiddenReasoning(block['data']) === null)
          yield `${path}: Invalid \`data\` in \`redacted_thinking\` block`;
        break;
      default:
    }
  }
  const { text } = { text: null, ...turn.blocks.at(-1)?.block };
  if (isLast && turn.role === 'assistant' && typeof text === 'string' && /\s$/.test(text))
    yield 'messages: final assistant content cannot end with trailing whitespace';
}

function* findCallViolations(turn: Turn, next: Turn | undefined, index: number): Generator<string> {
  if (turn.role !== 'assistant' || next === undefined) return;
  const opening = next.blocks.findIndex(({ block }) => block['type'] !== 'tool_result');
  const results = opening < 0 ? next.blocks : next.blocks.slice(0, opening);
  const answered = new Set(results.map(({ block }) => block['tool_use_id']));
  const open = getCalls(turn).filter((call) => !answered.has(call['id']));
  if (open.length === 0) return;
  yield (
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${open.map((call) => String(call['id'])).join(', ')}. Each \`tool_use\` block must have a corresponding ` +
      `\`tool_result\` block in the next message.`
  );
}

function* findResultViolations(turn: Turn, before: Turn | undefined, index: number): Generator<string> {
  const known = new Set(before?.role === 'assistant' ? getCalls(before).map((call) => call['id']) : []);
  const answered = new Set<unknown>();
  for (const { block, path } of turn.blocks) {
    if (block['type'] !== 'tool_result') continue;
    const id = block['tool_use_id'];
    if (!known.has(id))
      yield (
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` ` +
          `block must have a corresponding \`tool_use\` block in the previous message.`
      );
    if (answered.has(id))
      yield `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`;
    answered.add(id);
  }
}

/** With a budget, a turn with tool calls begins with its thinking while their results are sent. */
function* findMissingReasoning(turns: readonly Turn[], body: Record<string, unknown>): Generator<string> {
  const thinking = asObject(body['thinking']);
  const last = turns.at(-1);
  const calling = turns.at(-2);
  if (thinking['type'] !== 'enabled' || calling?.role !== 'assistant') return;
  if (last?.blocks.some(({ block }) => block['type'] === 'tool_result') !== true) return;
  const [first] = calling.blocks;
  const type = first?.block['type'];
  if (type === 'thinking' || type === 'redacted_thinking') return;
  yield (
    `${first?.path ?? 'messages'}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(type)}\`. ` +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost ' +
      'set of `tool_use` and `tool_result` blocks).'
  );
}

function getCalls(turn: Turn): Block[] {
  return turn.blocks.map(({ block }) => block).filter((block) => block['type'] === 'tool_use');
}
