import type { Citation } from '@tollgate/core/completion/content';
import { asObject } from '../json/parse-object.ts';

/** Reads `annotations` of a message (https://platform.openai.com/docs/guides/tools-web-search#output-and-citations). */
export function decodeAnnotations(value: unknown): Citation[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const original = asObject(entry);
    const cited = asObject(original?.['url_citation']);
    if (original === null || cited === null) return [];
    return [
      {
        citedText: asString(cited['content']),
        title: asString(cited['title']),
        url: asString(cited['url']),
        start: asNumber(cited['start_index']),
        end: asNumber(cited['end_index']),
        original,
      },
    ];
  });
}

/** Reads Perplexity's sources next to the choices: `search_results`, or only `citations`, a list of URLs. */
export function decodeSearchResults(body: Readonly<Record<string, unknown>>): Citation[] {
  const results = body['search_results'];
  const sources = Array.isArray(results) && results.length > 0 ? results : body['citations'];
  return (Array.isArray(sources) ? sources : []).flatMap((entry) => {
    const original = typeof entry === 'string' ? { url: entry } : asObject(entry);
    const url = asString(original?.['url']);
    if (original === null || url === null) return [];
    const { title, snippet } = { title: null, snippet: null, ...original };
    return [{ citedText: asString(snippet), title: asString(title), url, start: null, end: null, original }];
  });
}

function asString(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
