import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSealer } from './seal.ts';
import { openBody, sealBody, type BodyPlace } from './seal-body.ts';
import { SealBroken } from './seal-compressed.ts';

const sealer = createSealer(randomBytes(32).toString('base64'));
const place: BodyPlace = { accountId: 'acct_1', requestId: 'req_1', side: 'request' };

it('decrypts an encrypted body, which is smaller and does not contain the text', async () => {
  const text = 'a heron walks at noon ✓ '.repeat(500);
  const sealed = await sealBody(sealer, Buffer.from(text), place);
  expect(await openBody(sealer, sealed, place)).toBe(text);
  expect(sealed.includes('heron')).toBe(false);
  expect(sealed.length).toBeLessThan(text.length / 10);
});

it.each([{ accountId: 'acct_2' }, { requestId: 'req_2' }, { side: 'answer' as const }])(
  'opens it nowhere else: %o',
  async (elsewhere) => {
    const sealed = await sealBody(sealer, Buffer.from('a secret'), place);
    await expect(openBody(sealer, sealed, { ...place, ...elsewhere })).rejects.toThrow(SealBroken);
  },
);

it('drops an incomplete character at the end of a truncated body', async () => {
  const cut = Buffer.from('naïve ✓').subarray(0, -1);
  expect(await openBody(sealer, await sealBody(sealer, cut, place), place)).toBe('naïve ');
});
