import { asObject } from '../fake-provider/parse-completion-request.ts';

export type Block = Record<string, unknown>;

/** One side's turn: the blocks of consecutive messages, each with its path in the request. */
export interface Turn {
  role: string;
  blocks: { block: Block; path: string }[];
}

/** The turns of a request to `/v1/messages`; consecutive messages of one role are joined. */
export function getTurns(body: Record<string, unknown>): Turn[] {
  const turns: Turn[] = [];
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  for (const [index, given] of messages.entries()) {
    const message = asObject(given);
    const role = String(message['role']);
    const blocks = getBlocks(message['content'], `messages.${index}.content`);
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks });
  }
  return turns;
}

/** The blocks of content; a string is one text block. */
export function getBlocks(content: unknown, path: string): Turn['blocks'] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, path }];
  const list: unknown[] = Array.isArray(content) ? content : [];
  return list.map((block, index) => ({ block: asObject(block), path: `${path}.${index}` }));
}
