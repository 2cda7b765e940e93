import type { AssistantPart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeCacheControl } from './decode-cache-control.ts';
import { decodeCitations } from './decode-citation.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * Reads a block that the assistant wrote, in an answer or in a request that repeats one.
 * @returns an opaque part for a block that only this dialect has
 */
export function decodeAssistantBlock(block: JsonObject): AssistantPart {
  switch (block['type']) {
    case 'text':
      return {
        type: 'text',
        text: text(block['text']),
        citations: decodeCitations(block['citations']),
        cache: decodeCacheControl(block['cache_control']),
      };
    case 'thinking': {
      const signature = text(block['signature']);
      return {
        type: 'thinking',
        text: text(block['thinking']),
        signature: signature === '' ? null : signature,
      };
    }
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: text(block['data']) };
    case 'tool_use':
      return {
        type: 'tool_call',
        id: text(block['id']),
        name: text(block['name']),
        arguments: JSON.stringify(asObject(block['input']) ?? {}),
        cache: decodeCacheControl(block['cache_control']),
      };
    default:
      return {
        type: 'opaque',
        dialect: 'anthropic-messages',
        name: text(block['type']),
        value: block,
      };
  }
}
