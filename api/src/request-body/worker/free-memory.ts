/** Smaller buffers are not worth the call. */
export const MIN_FREED_BYTES = 4 * 1024;

/**
 * Frees the memory of bytes that are no longer needed now, not at the next garbage collection of their thread. The bytes and
 * all views of them are empty afterwards. Does nothing for small buffers, or bytes that share their memory.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < MIN_FREED_BYTES || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
