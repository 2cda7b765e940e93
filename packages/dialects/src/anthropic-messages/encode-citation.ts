import type { Citation, TextPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';

/** As many as the dialect's own citations of web pages have: https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool */
const MAX_QUOTED_CHARACTERS = 150;

const OWN_TYPES: readonly unknown[] = [
  'char_location',
  'page_location',
  'content_block_location',
  'web_search_result_location',
  'search_result_location',
];

/** True if a provider of this dialect wrote the citation, and accepts it back. */
export function isOwnCitation(citation: Citation): boolean {
  const { original } = citation;
  return OWN_TYPES.includes(original['type']) && original['encrypted_index'] !== '';
}

/**
 * Writes a citation of an answer. One of another dialect becomes a `web_search_result_location`, the only form with
 * a URL and no place in a document; its empty `encrypted_index` marks it as not issued by a provider of this dialect. Of a
 * long place, only the start is quoted: many citations of one place would multiply a response.
 */
export function encodeCitation(citation: Citation, part: Pick<TextPart, 'text'>): JsonObject {
  if (OWN_TYPES.includes(citation.original['type'])) return { ...citation.original };
  const { start, end } = citation;
  const quoted =
    start !== null && end !== null
      ? sliceCharacters(part.text, start, Math.min(end, start + MAX_QUOTED_CHARACTERS))
      : '';
  return {
    type: 'web_search_result_location',
    url: citation.url ?? '',
    title: citation.title ?? citation.url ?? '',
    cited_text: citation.citedText ?? quoted,
    encrypted_index: '',
  };
}

/** Providers count characters in different units. Half a character is no valid JSON for some clients, so it is left out. */
function sliceCharacters(text: string, start: number, end: number): string {
  return text.slice(start, end).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
