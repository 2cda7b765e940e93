import type { UserPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import type { AnthropicRequest } from './request-schema.ts';
import type { WireMessage } from './content-schema.ts';
import { decodeAssistantBlock } from './decode-assistant-block.ts';
import { decodeContentBlock, decodeToolResult, textPart } from './decode-user-block.ts';

/**
 * Reads `system` and `messages`. The results of tools, which are blocks of a user's turn here, become messages of their
 * own, in their order among the other blocks.
 */
export function decodeMessages(body: Pick<AnthropicRequest, 'system' | 'messages'>): Message[] {
  const opening = body.system ?? [];
  return [
    ...(opening.length === 0 ? [] : [decodeSystem(opening)]),
    ...body.messages.flatMap((message) => decodeMessage(message)),
  ];
}

function decodeSystem(content: NonNullable<AnthropicRequest['system']>): Message {
  return {
    role: 'system',
    kind: 'system',
    content:
      typeof content === 'string'
        ? [textPart(content)]
        : content.map(({ text, cache_control: cache }) => ({
            ...textPart(text),
            cache: cache ? { ttl: cache.ttl ?? null } : null,
          })),
  };
}

function decodeMessage(message: WireMessage): Message[] {
  switch (message.role) {
    case 'system':
      return [decodeSystem(message.content)];
    case 'assistant': {
      const { content } = message;
      const parts =
        typeof content === 'string'
          ? [textPart(content)]
          : content.map((block) => decodeAssistantBlock(block.type === 'opaque' ? block.block : block));
      return [{ role: 'assistant', name: null, content: parts }];
    }
    case 'user':
      return decodeUserTurn(message.content);
  }
}

function decodeUserTurn(content: Extract<WireMessage, { role: 'user' }>['content']): Message[] {
  if (typeof content === 'string') return [{ role: 'user', name: null, content: [textPart(content)] }];
  const messages: Message[] = [];
  let said: UserPart[] | null = null;
  for (const block of content) {
    if (block.type === 'tool_result') {
      messages.push(decodeToolResult(block));
      said = null;
    } else if (said === null) {
      said = [decodeContentBlock(block)];
      messages.push({ role: 'user', name: null, content: said });
    } else said.push(decodeContentBlock(block));
  }
  return messages;
}
