import type { EncodeReport } from '../encode-report.ts';
import type {
  CacheBreakpoint,
  ContentSource,
  DocumentPart,
  UserPart,
} from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import { formatDataUrl } from './data-url.ts';

/** A file that is sent in the body needs a name. */
const NAMELESS_FILE = 'document.pdf';

/** Writes one part of the caller's message as one part or more; none if it is refused. @param at `messages.0.content.1` */
export function encodeUserPart(part: UserPart, at: string, report: EncodeReport): JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...encodeCache(part.cache) }];
    case 'image': {
      const url = encodeImageUrl(part.source, at, report);
      if (url === null) return [];
      const image = { url, ...(part.detail === null ? {} : { detail: part.detail }) };
      return [{ type: 'image_url', image_url: image, ...encodeCache(part.cache) }];
    }
    case 'document':
      return encodeDocument(part, at, report);
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }];
    case 'opaque':
      if (part.dialect === 'openai-chat') return [{ ...part.value }];
      report.refuse(at, `content of the type ${part.name}`);
      return [];
  }
}

/** Writes Anthropic's breakpoint. */
export function encodeCache(cache: CacheBreakpoint | null): JsonObject {
  if (cache === null) return {};
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === null ? {} : { ttl: cache.ttl }) } };
}

function encodeImageUrl(source: ContentSource, at: string, report: EncodeReport): string | null {
  switch (source.kind) {
    case 'base64':
      return formatDataUrl(source);
    case 'url':
      return source.url;
    case 'file':
      return report.refuse(at, 'an image by the id of an uploaded file');
  }
}

function encodeDocument(part: DocumentPart, at: string, report: EncodeReport): JsonObject[] {
  if (part.citable) report.refuse(`${at}.citations`, 'citations of a document');
  const { source, title, context } = part;
  const cache = encodeCache(part.cache);
  const about: JsonObject[] = context === null ? [] : [{ type: 'text', text: context }];
  if (source.kind === 'text') {
    const text = title === null ? source.text : `${title}\n\n${source.text}`;
    return [...about, { type: 'text', text, ...cache }];
  }
  return [...about, { type: 'file', file: encodeFile(source, title), ...cache }];
}

function encodeFile(source: ContentSource, title: string | null): JsonObject {
  const filename = title ?? NAMELESS_FILE;
  switch (source.kind) {
    case 'file':
      return { file_id: source.fileId };
    case 'base64':
      return { filename, file_data: formatDataUrl(source) };
    case 'url':
      return { filename, file_data: source.url };
  }
}
