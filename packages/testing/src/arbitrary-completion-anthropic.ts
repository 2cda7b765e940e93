import type { Citation, OpaquePart, TextPart } from '@tollgate/core/completion/content';
import fc from 'fast-check';
import {
  arbitraryBase64,
  arbitraryJsonObject,
  arbitraryProse,
  arbitraryTextPart,
  arbitraryThinkingPart,
  orNull,
} from './arbitrary-completion-content.ts';

/** Parts that survive a round trip through the Anthropic dialect. */

/** The dialect refuses text of spaces only. */
export const arbitraryAnthropicProse = arbitraryProse.filter((text) => text.trim() !== '');

/** Its document citations, whose offsets stay in `original`. */
const citation: fc.Arbitrary<Citation> = fc
  .record({ cited_text: arbitraryProse, document_index: fc.nat(3), document_title: orNull(arbitraryProse) })
  .map((place) => ({
    citedText: place.cited_text,
    title: place.document_title,
    url: null,
    start: null,
    end: null,
    original: { type: 'char_location', ...place, start_char_index: 0, end_char_index: 9 },
  }));

export const arbitraryAnthropicText = (cache: fc.Arbitrary<TextPart['cache']>): fc.Arbitrary<TextPart> =>
  arbitraryTextPart({ text: arbitraryAnthropicProse, cache });

export const arbitraryCitedText = (cache: fc.Arbitrary<TextPart['cache']>): fc.Arbitrary<TextPart> =>
  arbitraryTextPart({
    text: arbitraryAnthropicProse,
    cache,
    citations: fc.array(citation, { maxLength: 2 }),
  });

export const arbitrarySignedThinking = arbitraryThinkingPart({ signature: arbitraryBase64 });

/** A call of a hosted tool. */
export const arbitraryServerToolUse: fc.Arbitrary<OpaquePart> = arbitraryJsonObject.map((members) => ({
  type: 'opaque' as const,
  dialect: 'anthropic-messages',
  name: 'server_tool_use',
  value: { type: 'server_tool_use', ...members },
}));
