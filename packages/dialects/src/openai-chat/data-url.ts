import type { ContentSource } from '@tollgate/core/completion/content';

const DATA_URL_HEAD = /^data:([^;,]+)(?:;[^;,]+)*;base64,/i;
const HEAD_CHARACTERS = 200;

/** Reads `data:<media type>;base64,<data>` (RFC 2397); null for anything else. */
export function parseDataUrl(text: string): Extract<ContentSource, { kind: 'base64' }> | null {
  const head = DATA_URL_HEAD.exec(text.slice(0, HEAD_CHARACTERS));
  const mediaType = head?.[1];
  if (head === null || mediaType === undefined) return null;
  return { kind: 'base64', mediaType: mediaType.toLowerCase(), data: text.slice(head[0].length) };
}

export function formatDataUrl(source: { mediaType: string; data: string }): string {
  return `data:${source.mediaType};base64,${source.data}`;
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text.slice(0, 8));
}
