import type { AssistantPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import { isOwnReasoning } from '../thinking-signature.ts';
import { encodeCacheControl } from './encode-cache-control.ts';
import { encodeText } from './encode-content-part.ts';
import type { EncodeReport } from '../encode-report.ts';
import { encodeToolInput } from './encode-tool-input.ts';
import { toToolUseId } from './tool-use-id.ts';

/**
 * Writes one part of an assistant's turn that a request repeats.
 * @param path its place in the caller's body, for a refusal: `messages.1.content.0`
 * @returns null for a part that is left out
 */
export function encodeAssistantPart(
  part: AssistantPart,
  path: string,
  report: EncodeReport,
): JsonObject | null {
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'refusal':
      return encodeText({ type: 'text', text: part.text, citations: [], cache: null });
    case 'thinking':
    case 'redacted_thinking':
      // The provider refuses reasoning without its own signature: another model wrote it.
      if (!isOwnReasoning(part)) {
        report.drop('reasoning');
        return null;
      }
      return part.type === 'thinking'
        ? { type: 'thinking', thinking: part.text, signature: part.signature }
        : { type: 'redacted_thinking', data: part.data };
    case 'tool_call':
      return {
        type: 'tool_use',
        id: toToolUseId(part.id),
        name: part.name,
        input: encodeToolInput(part.arguments),
        ...encodeCacheControl(part.cache),
      };
    case 'opaque':
      if (part.dialect === 'anthropic-messages') return { ...part.value };
      report.refuse(path, part.name);
      return null;
  }
}
