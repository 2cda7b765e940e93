import type { AudioPart, DocumentPart, ImagePart } from '@tollgate/core/completion/content';
import { findImageSize, type ImageSize } from './image-size.ts';

/** Longer edges are scaled down to it (https://docs.claude.com/en/docs/build-with-claude/vision#evaluate-image-size). */
const MAX_EDGE_PIXELS = 1568;
const PIXELS_PER_TOKEN = 750;
/** Tokens of the largest image, and of one of unknown size. */
const MAX_IMAGE_TOKENS = 1_600;
/** A page of a document is text and an image: 1,500 to 3,000 tokens of text, says its documentation, on a full page. */
const DOCUMENT_TOKENS = 2_500;
const BASE64_CHARACTERS_PER_DOCUMENT_PAGE = 128 * 1024;
const BASE64_CHARACTERS_PER_AUDIO_TOKEN = 2_000;
/** MP3 of 8 kbit/s, the lowest rate, has 1,333 characters a second, for which Gemini counts 32 tokens. */
const MIN_CHARACTERS_PER_AUDIO_TOKEN = 40;

/** An image by Anthropic's rule, width × height / 750. */
export function estimateImageTokens({ source }: Pick<ImagePart, 'source'>): number {
  const size = source.kind === 'base64' ? findImageSize(source.data) : null;
  return size === null ? MAX_IMAGE_TOKENS : tokensOfSize(size);
}

const PATCH_PIXELS = 32;

/** The patches by which newer models of OpenAI count an image. @returns null if its size is unknown */
export function countPatches({ source }: Pick<ImagePart, 'source'>): number | null {
  const size = source.kind === 'base64' ? findImageSize(source.data) : null;
  if (size === null) return null;
  return Math.ceil(size.width / PATCH_PIXELS) * Math.ceil(size.height / PATCH_PIXELS);
}

/** A document that is not text: its pages are not counted, but guessed from its size. */
export function estimateDocumentTokens({ source }: DocumentPart): number {
  if (source.kind !== 'base64') return DOCUMENT_TOKENS;
  return DOCUMENT_TOKENS * Math.ceil(source.data.length / BASE64_CHARACTERS_PER_DOCUMENT_PAGE);
}

/** A second of speech is ten tokens, and some 15 KB. */
export function estimateAudioTokens({ data }: AudioPart): number {
  return Math.ceil(data.length / BASE64_CHARACTERS_PER_AUDIO_TOKEN);
}

/** The most tokens of audio, however little its data is. */
export function boundAudioTokens(characters: number): number {
  return Math.ceil(characters / MIN_CHARACTERS_PER_AUDIO_TOKEN);
}

function tokensOfSize({ width, height }: ImageSize): number {
  const scale = Math.min(1, MAX_EDGE_PIXELS / Math.max(width, height, 1));
  const tokens = Math.ceil((width * scale * height * scale) / PIXELS_PER_TOKEN);
  return Math.min(MAX_IMAGE_TOKENS, Math.max(1, tokens));
}
