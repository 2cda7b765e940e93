import { randomBytes } from 'node:crypto';

const RECOVERY_CODE_COUNT = 10;
/** Without i, l, o and u: what is read from paper is not mistaken. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 10;

/** Ten codes of 50 random bits such as `7k2mq-x9d4f`, each to be used once in place of the authenticator. */
export function mintRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const text = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');
    return `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}`;
  });
}

/** A recovery code as it is hashed: without what people put between, and with what they mistake put right. */
export function normalizeRecoveryCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
}
