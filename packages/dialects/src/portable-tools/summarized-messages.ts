import type { AssistantPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import { introduceSummary } from '../openai-responses/carried/compaction.ts';
import { textPart } from '../openai-responses/decode-part.ts';

/**
 * Continues a conversation from the summary in Anthropic's last `compaction` block: its models do not read what precedes the
 * block (https://platform.claude.com/docs/en/build-with-claude/compaction). The opening system messages stay.
 */
export function summarizedMessages(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(
    ({ role, content }) => role === 'assistant' && content.some((part) => findSummary(part) !== null),
  );
  const message = messages[at];
  if (message?.role !== 'assistant') return messages;
  const end = message.content.findLastIndex((part) => findSummary(part) !== null);
  const [summary] = message.content.slice(end).map(findSummary);
  const opening = messages.findIndex(({ role }) => role !== 'system');
  return [
    ...messages.slice(0, opening),
    { role: 'user', name: null, content: [textPart(introduceSummary(summary ?? ''))] },
    { ...message, content: message.content.slice(end + 1) },
    ...messages.slice(at + 1),
  ];
}

/** @returns null for any other part, and for a compaction that failed */
function findSummary(part: AssistantPart | Message['content'][number]): string | null {
  if (part.type !== 'opaque' || part.dialect !== 'anthropic-messages' || part.name !== 'compaction')
    return null;
  const { content } = part.value;
  return typeof content === 'string' && content !== '' ? content : null;
}
