import type {
  ContentSource,
  DocumentPart,
  ImagePart,
  OpaquePart,
  TextPart,
  ToolResultContent,
} from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import { asObject } from '../json/parse-object.ts';
import type { DocumentBlock, ImageBlock, ResultBlock, ToolResultBlock } from './content-schema.ts';
import { decodeCacheControl } from './decode-cache-control.ts';
import { decodeCitations } from './decode-citation.ts';

/** Reads a block that users and tool results can hold alike. */
export function decodeContentBlock(block: ResultBlock): ToolResultContent {
  switch (block.type) {
    case 'text':
      return {
        type: 'text',
        text: block.text,
        citations: decodeCitations(block.citations),
        cache: decodeCacheControl(block.cache_control),
      };
    case 'image':
      return decodeImage(block);
    case 'document':
      return decodeDocument(block);
    case 'opaque':
      return opaque(block.block);
  }
}

/** Makes a text block of a plain string. */
export function textPart(text: string): TextPart {
  return { type: 'text', text, citations: [], cache: null };
}

/** Reads a `tool_result`, which is a separate message in the canonical model. */
export function decodeToolResult(block: ToolResultBlock): Message {
  const { content } = block;
  return {
    role: 'tool',
    callId: block.tool_use_id,
    content:
      typeof content === 'string'
        ? [content].filter((text) => text !== '').map(textPart)
        : (content ?? []).map(decodeContentBlock),
    isError: block.is_error === true,
    cache: decodeCacheControl(block.cache_control),
  };
}

function decodeImage(block: ImageBlock): ImagePart {
  return {
    type: 'image',
    source: decodeSource(block.source),
    detail: null,
    cache: decodeCacheControl(block.cache_control),
  };
}

function decodeDocument(block: DocumentBlock): DocumentPart | OpaquePart {
  const { source } = block;
  // Content that is made of blocks is cited by block: no other dialect can express that.
  if (source.type === 'content') return opaque(block);
  return {
    type: 'document',
    source: source.type === 'text' ? { kind: 'text', text: source.data } : decodeSource(source),
    title: block.title ?? null,
    context: block.context ?? null,
    citable: block.citations?.enabled === true,
    cache: decodeCacheControl(block.cache_control),
  };
}

function decodeSource(source: ImageBlock['source']): ContentSource {
  switch (source.type) {
    case 'base64':
      return { kind: 'base64', mediaType: source.media_type, data: source.data };
    case 'url':
      return { kind: 'url', url: source.url };
    case 'file':
      return { kind: 'file', fileId: source.file_id };
  }
}

function opaque(block: { type: string }): OpaquePart {
  return { type: 'opaque', dialect: 'anthropic-messages', name: block.type, value: asObject(block) ?? {} };
}
