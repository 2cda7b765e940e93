import type { BlockStart } from '@tollgate/core/completion/events';
import { toPlainCallId } from '../call-id.ts';
import type { JsonObject } from '../json/parse-object.ts';

/**
 * Writes the `content_block` that opens a block of a stream.
 * @param callId for a tool call without an id
 * @returns null for a block that this dialect cannot hold
 */
export function encodeBlockStart(start: BlockStart, callId: string): JsonObject | null {
  switch (start.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: start.data };
    case 'tool_call':
      return {
        type: 'tool_use',
        id: start.id === '' ? callId : toPlainCallId(start.id),
        name: start.name,
        input: {},
        caller: { type: 'direct' },
      };
    case 'opaque':
      return start.part.dialect === 'anthropic-messages' ? { ...start.part.value } : null;
  }
}
