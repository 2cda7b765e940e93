import { Buffer } from 'node:buffer';
import type { ImagePart } from '@tollgate/core/completion/content';
import { describe, expect, it } from 'vitest';
import { decodeOpenAiChatRequest } from '../openai-chat/decode-request.ts';
import { estimateInputTokens } from './estimate-input-tokens.ts';
import { findImageSize } from './image-size.ts';
import { estimateImageTokens } from './media-tokens.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );

/** Headers as encoders write them, each of an image 640 pixels wide and 480 high. */
const HEADERS = {
  png: bytes(
    [0x89],
    'PNG\r\n',
    [0x1a, 0x0a, 0, 0, 0, 13],
    'IHDR',
    [0, 0, 2, 0x80, 0, 0, 1, 0xe0, 8, 2, 0, 0, 0],
  ),
  gif: bytes('GIF89a', [0x80, 2, 0xe0, 1, 0xf7, 0, 0]),
  'lossy webp': bytes(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8 ',
    [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1],
  ),
  'lossless webp': bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0]),
  'extended webp': bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]),
  jpeg: bytes(
    [0xff, 0xd8, 0xff, 0xe0, 0, 16],
    'JFIF',
    [0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
    [0xff, 0xc4, 0, 4, 0, 0],
    [0xff, 0xc2, 0, 17, 8, 1, 0xe0, 2, 0x80, 3],
  ),
};

const image = (source: ImagePart['source']): ImagePart => ({
  type: 'image',
  source,
  detail: null,
  cache: null,
});
const inline = (data: Buffer) =>
  image({ kind: 'base64', mediaType: 'image/png', data: data.toString('base64') });

describe.each(Object.entries(HEADERS))('a %s', (_, header) => {
  it('contains its size, and costs width times height over 750', () => {
    expect(findImageSize(header.toString('base64'))).toEqual({ width: 640, height: 480 });
    expect(estimateImageTokens(inline(header))).toBe(410);
  });

  it('is an image of unknown size if its header is cut off anywhere', () => {
    for (let length = 0; length < 10; length += 1)
      expect(estimateImageTokens(inline(header.subarray(0, length)))).toBe(1_600);
  });
});

describe('other images', () => {
  it('cost as much as the largest image if they are URLs or of another format', () => {
    expect(estimateImageTokens(image({ kind: 'url', url: 'https://example.com/a.png' }))).toBe(1_600);
    expect(estimateImageTokens(image({ kind: 'file', fileId: 'file_1' }))).toBe(1_600);
    expect(estimateImageTokens(inline(Buffer.from('no image at all')))).toBe(1_600);
  });

  it('never cost more, nor nothing', () => {
    const png = Buffer.from(HEADERS.png);
    png.writeUInt32BE(0xffffffff, 16);
    expect(estimateImageTokens(inline(png))).toBe(1);
    png.writeUInt32BE(0xffffffff, 20);
    expect(estimateImageTokens(inline(png))).toBe(1_600);
  });
});

describe('a request with images', () => {
  const getRequest = (images: number) => {
    const url = `data:image/png;base64,${HEADERS.png.toString('base64')}`;
    const part = { type: 'image_url', image_url: { url } };
    const content = [{ type: 'text', text: 'Compare.' }, ...Array.from({ length: images }, () => part)];
    const decoded = decodeOpenAiChatRequest({ model: 'm', messages: [{ role: 'user', content }] });
    if (!decoded.ok) throw new Error(decoded.error.message);
    return decoded.value;
  };

  // https://platform.openai.com/docs/guides/images-vision#calculating-costs: 640 × 480 is two tiles.
  it.each([
    ['gpt-4o', 85 + 2 * 170],
    ['gpt-4o-mini', 2_833 + 2 * 5_667],
    ['claude-opus-4-7', 410],
  ])('counts at most what the most expensive of them would cost %s', async (model, truth) => {
    const none = await estimateInputTokens(getRequest(0), model);
    const two = await estimateInputTokens(getRequest(2), model);
    expect(two.tokens - none.tokens).toBe(820);
    expect(two.atMost - none.atMost).toBeGreaterThanOrEqual(2 * truth);
  });
});

describe('the upper bound of an image at newer models of OpenAI', () => {
  const png = (width: number, height: number) => {
    const header = Buffer.from(HEADERS.png);
    header.writeUInt32BE(width, 16);
    header.writeUInt32BE(height, 20);
    return `data:image/png;base64,${header.toString('base64')}`;
  };
  const bound = async (model: string, url: string) => {
    const content = [{ type: 'image_url', image_url: { url } }];
    const decoded = decodeOpenAiChatRequest({ model, messages: [{ role: 'user', content }] });
    if (!decoded.ok) throw new Error(decoded.error.message);
    return (await estimateInputTokens(decoded.value, model)).atMost;
  };
  const photo = png(5_472, 3_648);

  it('covers all patches of a large image', async () => {
    for (const model of ['gpt-5.6-terra', 'gpt-6-astra', 'gpt-5.10'])
      expect(await bound(model, photo)).toBeGreaterThanOrEqual(171 * 114);
    for (const model of ['gpt-5.4', 'gpt-5.5-2026-04-23'])
      expect(await bound(model, photo)).toBeGreaterThanOrEqual(10_000);
  });

  it('covers an image of unknown size', async () => {
    expect(await bound('gpt-5.5', 'https://a.b/c.png')).toBeGreaterThanOrEqual(10_000);
    expect(await bound('gpt-6-astra', 'https://a.b/c.png')).toBeGreaterThanOrEqual(30_000);
  });

  it('is low for a small image, and for models that scale images down', async () => {
    expect(await bound('gpt-6-astra', png(640, 480))).toBeLessThan(1_000);
    for (const model of ['gpt-4.1', 'gpt-5.4-mini', 'gpt-35-turbo'])
      expect(await bound(model, photo)).toBeLessThan(5_000);
  });
});
