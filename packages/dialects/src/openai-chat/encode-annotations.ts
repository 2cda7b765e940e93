import type { Citation } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';

/**
 * Writes the citations of one stretch of text as `annotations`. Citations without a URL, such as places in a document, have
 * no form in this dialect.
 * @param stretch start and end of the text in the content of its message, for citations without their own
 */
export function encodeAnnotations(
  citations: readonly Citation[],
  stretch: { start: number; end: number },
): JsonObject[] {
  return citations.flatMap(({ url, title, start, end, citedText }) => {
    if (url === null) return [];
    const cited = {
      url,
      title: title ?? url,
      start_index: start === null ? stretch.start : stretch.start + start,
      end_index: end === null ? stretch.end : stretch.start + end,
      ...(citedText === null ? {} : { content: citedText }),
    };
    return [{ type: 'url_citation', url_citation: cited }];
  });
}
