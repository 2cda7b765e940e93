import type {
  CacheBreakpoint,
  ContentSource,
  DocumentPart,
  UserPart,
} from '@tollgate/core/completion/content';
import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { formatDataUrl } from '../openai-chat/data-url.ts';

/** A file that is sent in the body needs a name. */
const NAMELESS_FILE = 'document.pdf';

/**
 * Writes one part of the caller's message or of a tool's result, as one part or more; none if it is refused.
 * @param at its path in the canonical request: `messages.0.content.1`
 */
export function encodePart(part: UserPart, at: string, report: EncodeReport): JsonObject[] {
  if ('cache' in part) dropCache(part.cache, report);
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: part.text }];
    case 'image':
      return [
        {
          type: 'input_image',
          ...encodeImageSource(part.source),
          ...(part.detail === null ? {} : { detail: part.detail }),
        },
      ];
    case 'document':
      return encodeDocument(part, at, report);
    case 'audio':
      report.refuse(at, 'audio input');
      return [];
    case 'opaque':
      if (part.dialect === 'openai-responses') return [{ ...part.value }];
      report.refuse(at, `content of the type ${part.name}`);
      return [];
  }
}

/** Prompts are cached automatically here; only some of the newest models know breakpoints. */
export function dropCache(cache: CacheBreakpoint | null, report: EncodeReport): void {
  if (cache !== null) report.drop('cache_control');
}

function encodeImageSource(source: ContentSource): JsonObject {
  switch (source.kind) {
    case 'base64':
      return { image_url: formatDataUrl(source) };
    case 'url':
      return { image_url: source.url };
    case 'file':
      return { file_id: source.fileId };
  }
}

function encodeDocument(part: DocumentPart, at: string, report: EncodeReport): JsonObject[] {
  if (part.citable) report.refuse(`${at}.citations`, 'citations of a document');
  const { source, title, context } = part;
  const about: JsonObject[] = context === null ? [] : [{ type: 'input_text', text: context }];
  if (source.kind === 'text') {
    const text = title === null ? source.text : `${title}\n\n${source.text}`;
    return [...about, { type: 'input_text', text }];
  }
  const name = title ?? (source.kind === 'base64' ? NAMELESS_FILE : null);
  const filename = name === null ? {} : { filename: name };
  return [...about, { type: 'input_file', ...filename, ...encodeFileSource(source) }];
}

function encodeFileSource(source: ContentSource): JsonObject {
  switch (source.kind) {
    case 'file':
      return { file_id: source.fileId };
    case 'url':
      return { file_url: source.url };
    case 'base64':
      return { file_data: formatDataUrl(source) };
  }
}
