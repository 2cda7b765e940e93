import { Buffer } from 'node:buffer';
import type {
  ContentSource,
  DocumentPart,
  ImagePart,
  TextPart,
  UserPart,
} from '@tollgate/core/completion/content';
import { assureBytes } from '../json/heap-guard.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeCacheControl } from './encode-cache-control.ts';
import { isOwnCitation } from './encode-citation.ts';
import type { EncodeReport } from '../encode-report.ts';

/** Three bytes of text for four characters, each as a character of two bytes. */
const MAX_BYTES_PER_BASE64 = 1.5;

/**
 * Writes one part of a user's message or of a tool's result.
 * @param path its place in the caller's body, for a refusal: `messages.0.content.1`
 * @returns null for a part that is left out: the provider refuses text without a letter
 */
export function encodeContentPart(part: UserPart, path: string, report: EncodeReport): JsonObject | null {
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'image':
      if (part.detail === 'low' || part.detail === 'high') report.drop('image_url.detail');
      return encodeImage(part);
    case 'document':
      return encodeDocument(part, path, report);
    case 'audio':
      report.refuse(path, 'audio input');
      return null;
    case 'opaque':
      if (part.dialect === 'anthropic-messages') return { ...part.value };
      report.refuse(path, part.name);
      return null;
  }
}

export function encodeText(part: TextPart): JsonObject | null {
  if (part.text.trim() === '') return null;
  const citations = part.citations.filter(isOwnCitation).map(({ original }) => original);
  return {
    type: 'text',
    text: part.text,
    ...(citations.length === 0 ? {} : { citations }),
    ...encodeCacheControl(part.cache),
  };
}

function encodeImage(part: ImagePart): JsonObject {
  return { type: 'image', source: encodeSource(part.source), ...encodeCacheControl(part.cache) };
}

function encodeDocument(part: DocumentPart, path: string, report: EncodeReport): JsonObject | null {
  const source = encodeDocumentSource(part.source);
  if (source === null) {
    report.refuse(path, 'a document that is neither a PDF nor text');
    return null;
  }
  return {
    type: 'document',
    source,
    ...(part.title === null ? {} : { title: part.title }),
    ...(part.context === null ? {} : { context: part.context }),
    ...(part.citable ? { citations: { enabled: true } } : {}),
    ...encodeCacheControl(part.cache),
  };
}

function encodeDocumentSource(source: DocumentPart['source']): JsonObject | null {
  if (source.kind === 'text') return plainText(source.text);
  if (source.kind !== 'base64' || source.mediaType === 'application/pdf') return encodeSource(source);
  // Only PDFs are base64 here; other documents are decoded to text.
  const isText = source.mediaType.startsWith('text/') || source.mediaType === 'application/json';
  return isText ? plainText(decodeText(source.data)) : null;
}

function decodeText(base64: string): string {
  assureBytes(base64.length * MAX_BYTES_PER_BASE64);
  return Buffer.from(base64, 'base64').toString('utf8');
}

function plainText(data: string): JsonObject {
  return { type: 'text', media_type: 'text/plain', data };
}

function encodeSource(source: ContentSource): JsonObject {
  switch (source.kind) {
    case 'base64':
      return { type: 'base64', media_type: source.mediaType, data: source.data };
    case 'url':
      return { type: 'url', url: source.url };
    case 'file':
      return { type: 'file', file_id: source.fileId };
  }
}
