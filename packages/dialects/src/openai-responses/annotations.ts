import type { Citation } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Annotations that name a file of the provider; they have no URL, and no form in another dialect. */
const FILE_TYPES: readonly unknown[] = ['file_citation', 'container_file_citation', 'file_path'];

/** Reads `annotations` of an `output_text` (https://platform.openai.com/docs/api-reference/responses/object). */
export function decodeAnnotations(value: unknown): Citation[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const original = asObject(entry);
    return original === null ? [] : [decodeAnnotation(original)];
  });
}

export function decodeAnnotation(original: JsonObject): Citation {
  return {
    citedText: null,
    title: asString(original['title']) ?? asString(original['filename']),
    url: asString(original['url']),
    start: asNumber(original['start_index']),
    end: asNumber(original['end_index']),
    original,
  };
}

/** True if a provider of this dialect wrote the citation. Chat completions nest what is flat here. */
export function isOwnAnnotation({ original }: Citation): boolean {
  return FILE_TYPES.includes(original['type']) || isFlatUrl(original);
}

function isFlatUrl(original: Citation['original']): boolean {
  return original['type'] === 'url_citation' && typeof original['url'] === 'string';
}

/**
 * Writes citations. Citations of other dialects without a URL, such as places in a document, have no form here.
 * @param length of the text that is cited, for citations without a place
 */
export function encodeAnnotations(citations: readonly Citation[], length: number): JsonObject[] {
  return citations.flatMap((citation) => {
    if (isOwnAnnotation(citation)) return [{ ...citation.original }];
    const { url, title, start, end } = citation;
    if (url === null) return [];
    return [
      { type: 'url_citation', start_index: start ?? 0, end_index: end ?? length, url, title: title ?? url },
    ];
  });
}

function asString(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
