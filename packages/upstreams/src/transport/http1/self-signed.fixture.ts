import { Buffer } from 'node:buffer';
import { generateKeyPairSync, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

/** One element of DER: https://www.itu.int/rec/T-REC-X.690 section 8.1 */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const ED25519 = sequence(oid('2b6570'));

/**
 * A self-signed certificate, valid for two days (https://www.rfc-editor.org/rfc/rfc5280#section-4.1).
 * @returns both as PEM
 */
export function createSelfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
  const now = Date.now();
  const alternativeName = sequence(der(0x82, Buffer.from(name)));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ED25519,
    subject,
    sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, alternativeName)))),
  );
  const signature = sign(null, toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ED25519, der(0x03, Buffer.from([0]), signature));
  const base64 = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
