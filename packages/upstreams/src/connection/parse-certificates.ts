import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** Largest text that is stored for one provider. */
export const MAX_CERTIFICATES_LENGTH = 100_000;

/** Parses certificates in PEM. @returns them without any text around, or an error message that follows "it" */
export function parseCertificates(text: string): { ok: true; pem: string } | { ok: false; reason: string } {
  if (text.length > MAX_CERTIFICATES_LENGTH)
    return { ok: false, reason: `must have at most ${MAX_CERTIFICATES_LENGTH} characters` };
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return { ok: false, reason: 'must not contain a private key' };
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0)
    return { ok: false, reason: 'must be in PEM, beginning with -----BEGIN CERTIFICATE-----' };
  for (const [index, block] of blocks.entries()) {
    try {
      void new X509Certificate(block);
    } catch {
      return { ok: false, reason: `must be valid: number ${index + 1} cannot be read` };
    }
  }
  return { ok: true, pem: `${blocks.join('\n')}\n` };
}
