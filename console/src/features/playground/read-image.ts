import type { ImageInput } from './conversation.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const MAX_BYTES = 4 * 1024 * 1024;

/** `accept` value of the file input. */
export const IMAGE_TYPES = TYPES.join(',');

/** Reads a chosen image file. */
export async function readImage(
  file: File,
): Promise<{ ok: true; image: ImageInput } | { ok: false; message: string }> {
  if (!TYPES.includes(file.type))
    return { ok: false, message: `${file.name} is not a PNG, JPEG, WebP or GIF image.` };
  if (file.size > MAX_BYTES) return { ok: false, message: `${file.name} is larger than 4 MiB.` };
  const dataUrl = await readAsDataUrl(file);
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  return { ok: true, image: { name: file.name, mediaType: file.type, base64 } };
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
}
