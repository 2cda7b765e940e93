import type { AssistantPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';

interface LastTurn {
  /** Everything that the model has written since the caller's last message. */
  parts: AssistantPart[];
  /** True if the caller returns results of its tool calls. */
  hasResults: boolean;
}

/** The model's last turn in a conversation; null: it has not written anything. */
export function findLastTurn(messages: readonly Message[]): LastTurn | null {
  const end = messages.findLastIndex(({ role }) => role === 'assistant');
  if (end < 0) return null;
  const start = messages.slice(0, end).findLastIndex(({ role }) => role !== 'assistant') + 1;
  const parts = messages
    .slice(start, end + 1)
    .flatMap((message) => (message.role === 'assistant' ? message.content : []));
  return { parts, hasResults: messages.slice(end).some(({ role }) => role === 'tool') };
}
