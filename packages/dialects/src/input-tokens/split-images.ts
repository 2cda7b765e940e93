import type { ImagePart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { parseDataUrl } from '../openai-chat/data-url.ts';
import { findImageSize } from './image-size.ts';

type Source = ImagePart['source'];

/** Members of items and blocks that hold content. */
const HOLDERS: ReadonlySet<string> = new Set(['output', 'content', 'source']);
const IMAGES: ReadonlySet<unknown> = new Set(['input_image', 'computer_screenshot', 'image']);

/**
 * Takes the images out of an item or block that has no canonical form: their bytes are no text.
 * @returns the sources of images whose size is known; others stay in the text
 */
export function splitImages(value: JsonObject): { text: unknown; sources: Source[] } {
  const sources: Source[] = [];
  return { text: withoutImages(value, sources), sources };
}

function withoutImages(value: unknown, sources: Source[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutImages(entry, sources));
  const object = asObject(value);
  if (object === null) return value;
  const source = findSource(object);
  if (source !== null) {
    sources.push(source);
    return { type: object['type'] };
  }
  const entries = Object.entries(object);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, HOLDERS.has(name) ? withoutImages(inner, sources) : inner]),
  );
}

/** @returns null if the object is no image, or one whose bytes are elsewhere */
function findSource(object: JsonObject): Source | null {
  const data = findData(object);
  if (data === null || findImageSize(data) === null) return null;
  return { kind: 'base64', mediaType: 'image/png', data };
}

function findData({ type, image_url: url, source, result }: JsonObject): string | null {
  if (type === 'image_generation_call') return typeof result === 'string' ? result : null;
  if (!IMAGES.has(type)) return null;
  if (typeof url === 'string') return parseDataUrl(url)?.data ?? null;
  const data = asObject(source)?.['data'];
  return typeof data === 'string' ? data : null;
}
