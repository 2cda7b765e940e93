import type { DocumentPart, TextPart, UserPart } from '@tollgate/core/completion/content';
import type { FieldReader, Member } from '../json/field-reader.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { isWebUrl, parseDataUrl } from '../openai-chat/data-url.ts';
import { decodeCache } from '../openai-chat/decode-cache.ts';

/** Kinds of content that are not known stay as they are; anything else is no content. */
const CONTENT_TYPE = /^(?:input|output)_/;
const AUDIO_FORMATS = ['wav', 'mp3'] as const;
const DETAILS = ['auto', 'low', 'high', 'original'] as const;

export const textPart = (text: string): TextPart => ({ type: 'text', text, citations: [], cache: null });

/** Reads `content` or `output`, a text or a list of parts. Empty text makes no part. */
export function decodeParts(member: Member, reader: FieldReader): UserPart[] {
  const content = member.object[member.key] ?? null;
  if (content === '') return [];
  if (typeof content === 'string') return [textPart(content)];
  if (!Array.isArray(content)) {
    reader.refuse(member.at + member.key, 'must be a string or a list of parts');
    return [];
  }
  return reader.objects(member).flatMap(({ item, at }) => decodePart(item, at, reader) ?? []);
}

function decodePart(part: JsonObject, at: string, reader: FieldReader): UserPart | null {
  const type = reader.requiredString({ object: part, key: 'type', at });
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return decodeText(part, at, reader);
    case 'input_image':
      return decodeImage(part, at, reader);
    case 'input_file':
      return decodeFile(part, at, reader);
    case 'input_audio':
      return decodeAudio(part, at, reader);
    default:
      if (!CONTENT_TYPE.test(type))
        return reader.refuse(`${at}type`, 'must be one of input_text, input_image, input_file');
      return { type: 'opaque', dialect: 'openai-responses', name: type, value: part };
  }
}

/** Reads a part that must be text. */
export function decodeText(part: JsonObject, at: string, reader: FieldReader): TextPart {
  const text = reader.string({ object: part, key: 'text', at });
  if (text === null) reader.refuse(`${at}text`, 'must be a string');
  return { ...textPart(text ?? ''), cache: decodeCache(part) };
}

function decodeImage(part: JsonObject, at: string, reader: FieldReader): UserPart | null {
  const url = reader.string({ object: part, key: 'image_url', at });
  const fileId = reader.string({ object: part, key: 'file_id', at });
  const detail = reader.oneOf({ object: part, key: 'detail', at }, DETAILS);
  if (url === null && fileId === null)
    return reader.refuse(`${at}image_url`, 'must be given, or file_id in its place');
  const source = url === null ? { kind: 'file' as const, fileId: fileId ?? '' } : sourceOfUrl(url);
  if (url !== null && source.kind === 'url' && !isWebUrl(url))
    reader.refuse(`${at}image_url`, 'must be an http or https URL, or a data URL in base64');
  return {
    type: 'image',
    source,
    // The other dialects know no finer detail than `high`.
    detail: detail === 'original' ? 'high' : detail,
    cache: decodeCache(part),
  };
}

function sourceOfUrl(url: string) {
  return parseDataUrl(url) ?? { kind: 'url' as const, url };
}

function decodeFile(part: JsonObject, at: string, reader: FieldReader): UserPart | null {
  const string = (key: string) => reader.string({ object: part, key, at });
  const [data, url, fileId, title] = [
    string('file_data'),
    string('file_url'),
    string('file_id'),
    string('filename'),
  ];
  const source = sourceOfFile(data, url, fileId);
  if (source === null)
    return reader.refuse(`${at}file_data`, 'must be given, or file_url or file_id in its place');
  return { type: 'document', source, title, context: null, citable: false, cache: decodeCache(part) };
}

/** Data is a data URL as OpenAI documents it, or bare base64, which is a PDF. */
function sourceOfFile(
  data: string | null,
  url: string | null,
  fileId: string | null,
): DocumentPart['source'] | null {
  if (data !== null) return parseDataUrl(data) ?? { kind: 'base64', mediaType: 'application/pdf', data };
  if (url !== null) return { kind: 'url', url };
  return fileId === null ? null : { kind: 'file', fileId };
}

function decodeAudio(part: JsonObject, at: string, reader: FieldReader): UserPart | null {
  const audio = reader.requiredObject({ object: part, key: 'input_audio', at });
  const inside = `${at}input_audio.`;
  const format = reader.oneOf({ object: audio, key: 'format', at: inside }, AUDIO_FORMATS);
  if (format === null) return reader.refuse(`${inside}format`, 'must be one of wav, mp3');
  return { type: 'audio', format, data: reader.requiredString({ object: audio, key: 'data', at: inside }) };
}
