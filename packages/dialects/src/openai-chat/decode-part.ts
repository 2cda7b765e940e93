import type { DocumentPart, TextPart, UserPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import { isWebUrl, parseDataUrl } from './data-url.ts';
import { decodeCache } from './decode-cache.ts';
import type { FieldReader, Member } from '../json/field-reader.ts';

const IMAGE_DETAILS = ['auto', 'low', 'high'] as const;
const AUDIO_FORMATS = ['wav', 'mp3'] as const;

export const textPart = (text: string): TextPart => ({ type: 'text', text, citations: [], cache: null });

/** Reads `content`, a text or a list of parts. Empty text makes no part. */
export function decodeParts(message: Member, reader: FieldReader): UserPart[] {
  const content = message.object[message.key] ?? null;
  if (content === null || content === '') return [];
  if (typeof content === 'string') return [textPart(content)];
  if (!Array.isArray(content)) {
    reader.refuse(message.at + message.key, 'must be a string or a list of parts');
    return [];
  }
  return reader.objects(message).flatMap(({ item, at }) => decodePart(item, at, reader) ?? []);
}

/** Reads one part of a message of the caller. Parts of a kind that is not known stay as they are. */
function decodePart(part: JsonObject, at: string, reader: FieldReader): UserPart | null {
  const type = reader.requiredString({ object: part, key: 'type', at });
  switch (type) {
    case 'text':
    case 'input_text':
      return decodeText(part, at, reader);
    case 'image_url':
      return decodeImage(part, at, reader);
    case 'input_audio': {
      const audio = reader.requiredObject({ object: part, key: 'input_audio', at });
      const inside = `${at}input_audio.`;
      const format = reader.oneOf({ object: audio, key: 'format', at: inside }, AUDIO_FORMATS);
      if (format === null) return reader.refuse(`${inside}format`, 'must be one of wav, mp3');
      return {
        type: 'audio',
        format,
        data: reader.requiredString({ object: audio, key: 'data', at: inside }),
      };
    }
    case 'file':
      return decodeFile(part, at, reader);
    case '':
      return null;
    default:
      return { type: 'opaque', dialect: 'openai-chat', name: type, value: part };
  }
}

/** Reads a part that must be text. */
export function decodeText(part: JsonObject, at: string, reader: FieldReader): TextPart {
  const text = reader.string({ object: part, key: 'text', at });
  if (text === null) reader.refuse(`${at}text`, 'must be a string');
  return { ...textPart(text ?? ''), cache: decodeCache(part) };
}

function decodeImage(part: JsonObject, at: string, reader: FieldReader): UserPart {
  // Some clients write the URL itself in place of the object that holds it.
  const given = part['image_url'];
  const isBare = typeof given === 'string';
  const image = isBare ? { url: given } : reader.requiredObject({ object: part, key: 'image_url', at });
  const inside = `${at}image_url.`;
  const url = isBare
    ? reader.requiredString({ object: part, key: 'image_url', at })
    : reader.requiredString({ object: image, key: 'url', at: inside });
  const source = parseDataUrl(url) ?? { kind: 'url' as const, url };
  if (source.kind === 'url' && !isWebUrl(url)) {
    const param = isBare ? `${at}image_url` : `${inside}url`;
    reader.refuse(param, 'must be an http or https URL, or a data URL in base64');
  }
  const detail = reader.oneOf({ object: image, key: 'detail', at: inside }, IMAGE_DETAILS);
  return { type: 'image', source, detail, cache: decodeCache(part) };
}

function decodeFile(part: JsonObject, at: string, reader: FieldReader): UserPart | null {
  const file = reader.requiredObject({ object: part, key: 'file', at });
  const inside = `${at}file.`;
  const title = reader.string({ object: file, key: 'filename', at: inside });
  const fileId = reader.string({ object: file, key: 'file_id', at: inside });
  const data = reader.string({ object: file, key: 'file_data', at: inside });
  if (fileId === null && data === null)
    return reader.refuse(`${inside}file_data`, 'must be given, or file_id in its place');
  const source: DocumentPart['source'] =
    data === null ? { kind: 'file', fileId: fileId ?? '' } : sourceOfFileData(data);
  return { type: 'document', source, title, context: null, citable: false, cache: decodeCache(part) };
}

/** A data URL as OpenAI documents it, a web URL as OpenRouter takes it, or bare base64, which is a PDF. */
function sourceOfFileData(data: string): DocumentPart['source'] {
  if (isWebUrl(data)) return { kind: 'url', url: data };
  return parseDataUrl(data) ?? { kind: 'base64', mediaType: 'application/pdf', data };
}
