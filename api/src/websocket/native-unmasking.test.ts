import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';

const fromLibrary = createRequire(createRequire(import.meta.url).resolve('ws'));
/** The package has binaries for these; elsewhere, the library unmasks in JavaScript. */
const hasBinary = process.platform === 'linux' && process.arch === 'x64';

it.runIf(hasBinary)('the library of WebSockets unmasks a message of 32 MiB in native code', () => {
  const { unmask } = fromLibrary('bufferutil') as { unmask: (bytes: Buffer, mask: Buffer) => void };
  const bytes = Buffer.alloc(32 * 1024 * 1024, 'a');
  // In JavaScript, it takes 43 ms.
  const times = Array.from({ length: 3 }, () => threadTimeMs(() => unmask(bytes, Buffer.from([1, 2, 3, 4]))));
  expect(Math.min(...times)).toBeLessThan(20);
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x60, 0x63, 0x62, 0x65]));
});
