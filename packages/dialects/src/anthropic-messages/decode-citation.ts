import type { Citation } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : null);

/**
 * Reads one citation of a text block. Its offsets point into the source, not into the answer, and stay in `original`.
 */
export function decodeCitation(citation: JsonObject): Citation {
  return {
    citedText: text(citation['cited_text']),
    title: text(citation['title']) ?? text(citation['document_title']),
    url: text(citation['url']),
    start: null,
    end: null,
    original: citation,
  };
}

/** Reads the `citations` of a text block; null and anything unreadable count as none. */
export function decodeCitations(citations: unknown): Citation[] {
  if (!Array.isArray(citations)) return [];
  return citations.flatMap((value) => {
    const citation = asObject(value);
    return citation === null ? [] : [decodeCitation(citation)];
  });
}
