import type { AssistantPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import type { EncodeReport } from '../encode-report.ts';
import { isOtherMakers } from '../thinking-signature.ts';

/**
 * Leaves out reasoning for Claude that another model behind this dialect signed: GLM, MiniMax, DeepSeek.
 * @returns the same list if it has none
 */
export function withoutOthersReasoning(messages: Message[], report: EncodeReport): Message[] {
  const isOthers = (message: Message) =>
    message.role === 'assistant' && message.content.some(isSignedByOther);
  if (!messages.some(isOthers)) return messages;
  report.drop('reasoning');
  return messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter((part) => !isSignedByOther(part)) }
      : message,
  );
}

function isSignedByOther(part: AssistantPart): boolean {
  return part.type === 'thinking' && part.signature !== null && isOtherMakers(part.signature);
}
