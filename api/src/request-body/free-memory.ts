/** Less is not worth the call. */
const MIN_BYTES = 4 * 1024;

/**
 * Frees the memory of bytes that nothing reads any more. The collector would do so later, after it has stopped the event loop
 * because so much is waiting for it. The bytes, and all views of them, are empty from now on; memory that they
 * share with other bytes stays.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < MIN_BYTES || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
