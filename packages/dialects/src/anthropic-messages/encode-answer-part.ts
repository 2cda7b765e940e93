import type { AssistantPart } from '@tollgate/core/completion/content';
import { toPlainCallId } from '../call-id.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeCitation } from './encode-citation.ts';
import { encodeToolInput } from './encode-tool-input.ts';

/**
 * Writes one part of an answer.
 * @returns null for a part that this dialect cannot hold, and for text that says nothing
 */
export function encodeAnswerPart(part: AssistantPart): JsonObject | null {
  switch (part.type) {
    case 'text': {
      if (part.text === '' && part.citations.length === 0) return null;
      const citations = part.citations.map((citation) => encodeCitation(citation, part));
      // Like Anthropic, no member without citations: AI SDK 5 and 6 reject null.
      return { type: 'text', text: part.text, ...(citations.length > 0 && { citations }) };
    }
    case 'refusal':
      return part.text === '' ? null : { type: 'text', text: part.text };
    case 'thinking':
      return { type: 'thinking', thinking: part.text, signature: part.signature ?? '' };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: part.data };
    case 'tool_call':
      return {
        type: 'tool_use',
        id: toPlainCallId(part.id),
        name: part.name,
        input: encodeToolInput(part.arguments),
        caller: { type: 'direct' },
      };
    case 'opaque':
      return part.dialect === 'anthropic-messages' ? { ...part.value } : null;
  }
}
