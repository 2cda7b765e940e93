import type {
  AssistantPart,
  Citation,
  OpaquePart,
  RedactedThinkingPart,
  ThinkingPart,
} from '@tollgate/core/completion/content';
import {
  arbitraryBase64,
  arbitraryJsonObject,
  arbitraryName,
  arbitraryProse,
  arbitraryRefusalPart,
  arbitraryTextPart,
  arbitraryToolCallPart,
  arbitraryUrl,
} from '@tollgate/testing/arbitrary-completion-content';
import fc from 'fast-check';
import { encodeSignature } from '../thinking-signature.ts';

const none = fc.constant(null);

/** Annotations as this dialect has them, and gives them back after a round trip. */
const annotation: fc.Arbitrary<Citation> = fc
  .tuple(arbitraryUrl, arbitraryProse, fc.nat(9))
  .map(([url, title, start]) => {
    const original = { type: 'url_citation', start_index: start, end_index: start + 3, url, title };
    return { citedText: null, title, url, start, end: start + 3, original };
  });

const fileCitation: fc.Arbitrary<Citation> = fc
  .tuple(arbitraryName, arbitraryProse, fc.nat(9))
  .map(([fileId, filename, index]) => ({
    citedText: null,
    title: filename,
    url: null,
    start: null,
    end: null,
    original: { type: 'file_citation', file_id: fileId, filename, index },
  }));

/** OpenAI's encrypted reasoning, as the canonical model keeps it. */
export const openAiSignature: fc.Arbitrary<string> = fc
  .tuple(arbitraryBase64, arbitraryName)
  .map(([data, name]) =>
    encodeSignature({ type: 'reasoning.encrypted', data, id: `rs_${name}`, format: 'openai-responses-v1' }),
  );

export const thinking = (signature: fc.Arbitrary<string | null>): fc.Arbitrary<ThinkingPart> =>
  fc.record({ type: fc.constant('thinking'), text: arbitraryProse, signature });

export const redacted = (data: fc.Arbitrary<string>): fc.Arbitrary<RedactedThinkingPart> =>
  fc.record({ type: fc.constant('redacted_thinking'), data });

/** An item that only this dialect has. */
const searchCall: fc.Arbitrary<OpaquePart> = fc
  .tuple(arbitraryName, arbitraryJsonObject)
  .map(([id, rest]) => ({
    type: 'opaque' as const,
    dialect: 'openai-responses',
    name: 'web_search_call',
    value: {
      id: `ws_${id}`,
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'weather' },
      ...rest,
    },
  }));

/** Everything in an answer except its reasoning. */
export const made: fc.Arbitrary<AssistantPart> = fc.oneof(
  arbitraryTextPart({
    cache: none,
    citations: fc.array(fc.oneof(annotation, fileCitation), { maxLength: 2 }),
  }),
  arbitraryRefusalPart,
  arbitraryToolCallPart({ cache: none }),
  searchCall,
);
