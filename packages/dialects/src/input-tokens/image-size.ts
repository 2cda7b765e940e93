import { Buffer } from 'node:buffer';

export interface ImageSize {
  width: number;
  height: number;
}

/** A JPEG may carry a colour profile and a preview before its frame header. */
const HEAD_BASE64_CHARACTERS = 88 * 1024;

/** Reads the size of a PNG, GIF, WebP or JPEG from its first 64 KiB, in pixels. @returns null if it is not found */
export function findImageSize(base64: string): ImageSize | null {
  const head = Buffer.from(base64.slice(0, HEAD_BASE64_CHARACTERS), 'base64');
  try {
    return findPngSize(head) ?? findGifSize(head) ?? findWebpSize(head) ?? findJpegSize(head);
  } catch (error) {
    // A header that ends too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** https://www.w3.org/TR/png-3/#11IHDR */
function findPngSize(head: Buffer): ImageSize | null {
  if (head.toString('latin1', 1, 4) !== 'PNG') return null;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
function findGifSize(head: Buffer): ImageSize | null {
  if (head.toString('latin1', 0, 4) !== 'GIF8') return null;
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

/** RFC 9649: lossy, lossless and extended files have different headers. */
function findWebpSize(head: Buffer): ImageSize | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP') return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** ITU T.81, B.1: walks from marker to marker until a frame header: SOF0 to SOF15, except DHT, JPG and DAC. */
function findJpegSize(head: Buffer): ImageSize | null {
  if (head.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (head[at] === 0xff) {
    const marker = head.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
    at += 2 + head.readUInt16BE(at + 2);
  }
  return null;
}
