import type {
  CacheBreakpoint,
  ContentSource,
  DocumentPart,
  UserPart,
} from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import { formatDataUrl } from './data-url.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** A file that is sent in the body needs a name. */
const NAMELESS_FILE = 'document.pdf';

/** Writes one part of the caller's message as one part or more; none if it is refused. @param at `messages.0.content.1` */
export function encodeUserPart(part: UserPart, at: string, notes: EncodeNotes): JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...encodeCache(part.cache, notes) }];
    case 'image': {
      const url = encodeImageUrl(part.source, at, notes);
      if (url === null) return [];
      const image = { url, ...(part.detail === null ? {} : { detail: part.detail }) };
      return [{ type: 'image_url', image_url: image, ...encodeCache(part.cache, notes) }];
    }
    case 'document':
      return encodeDocument(part, at, notes);
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }];
    case 'opaque':
      if (part.dialect === 'openai-chat') return [{ ...part.value }];
      notes.refuse(at, `content of the type ${part.name}`);
      return [];
  }
}

/** Anthropic's breakpoint if the provider takes it; other providers cache prompts automatically. */
export function encodeCache(cache: CacheBreakpoint | null, notes: EncodeNotes): JsonObject {
  if (cache === null) return {};
  if (notes.quirks.takesCacheControl)
    return { cache_control: { type: 'ephemeral', ...(cache.ttl === null ? {} : { ttl: cache.ttl }) } };
  notes.drop('cache_control');
  return {};
}

function encodeImageUrl(source: ContentSource, at: string, notes: EncodeNotes): string | null {
  switch (source.kind) {
    case 'base64':
      return formatDataUrl(source);
    case 'url':
      return source.url;
    case 'file':
      return notes.refuse(at, 'an image by the id of an uploaded file');
  }
}

function encodeDocument(part: DocumentPart, at: string, notes: EncodeNotes): JsonObject[] {
  if (part.citable) notes.refuse(`${at}.citations`, 'citations of a document');
  const { source, title, context } = part;
  const cache = encodeCache(part.cache, notes);
  const about: JsonObject[] = context === null ? [] : [{ type: 'text', text: context }];
  if (source.kind === 'text') {
    const text = title === null ? source.text : `${title}\n\n${source.text}`;
    return [...about, { type: 'text', text, ...cache }];
  }
  const file = encodeFile(source, title, { at, notes });
  return file === null ? [] : [...about, { type: 'file', file, ...cache }];
}

function encodeFile(
  source: ContentSource,
  title: string | null,
  { at, notes }: { at: string; notes: EncodeNotes },
): JsonObject | null {
  switch (source.kind) {
    case 'file':
      return { file_id: source.fileId };
    case 'base64':
      return { filename: title ?? NAMELESS_FILE, file_data: formatDataUrl(source) };
    case 'url':
      if (!notes.quirks.takesFileUrls) return notes.refuse(at, 'a document by its URL');
      return { filename: title ?? NAMELESS_FILE, file_data: source.url };
  }
}
