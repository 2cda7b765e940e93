import { generateKeyPairSync, hash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { encodeCbor } from './encode-cbor.ts';

/** A page's request to the browser. */
interface Asked {
  challenge: string;
  /** Origin of the page: `http://localhost:3000`. */
  origin: string;
  rpId: string;
}

/** Deviations from a valid authenticator response. */
export interface Flaws {
  /** Value of the counter; default: one more than the last. */
  counter?: number;
  /** False: no finger or PIN was requested. */
  isVerified?: boolean;
  /** Replaces its own. */
  credentialId?: string;
}

interface Credential {
  id: string;
  privateKey: KeyObject;
  cosePublicKey: Buffer;
  counter: number;
}

// Flags of the authenticator data: https://www.w3.org/TR/webauthn-3/#authdata-flags
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/**
 * A software authenticator with one credential: it creates real attestations (format `none`) and real ES256 assertions, in
 * the JSON of browsers. https://www.w3.org/TR/webauthn-3/
 */
export class SoftwareAuthenticator {
  readonly #credential: Credential;

  constructor(credentialId: string = randomBytes(32).toString('base64url')) {
    this.#credential = makeCredential(credentialId);
  }

  get credentialId(): string {
    return this.#credential.id;
  }

  /** Registers its credential. */
  register(asked: Asked, flaws: Flaws = {}) {
    const authData = this.#authData(asked.rpId, flaws, true);
    const attestationObject = encodeCbor(
      new Map<string, string | Buffer | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      ...this.#envelope(flaws),
      response: {
        clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal' as const],
      },
    };
  }

  /** Signs a challenge with its credential. */
  assert(asked: Asked, flaws: Flaws = {}) {
    const authData = this.#authData(asked.rpId, flaws, false);
    const client = clientData('webauthn.get', asked);
    const signed = Buffer.concat([authData, hash('sha256', client, 'buffer')]);
    return {
      ...this.#envelope(flaws),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        // ES256 signatures are DER here: https://www.w3.org/TR/webauthn-3/#sctn-signature-attestation-types
        signature: sign('sha256', signed, this.#credential.privateKey).toString('base64url'),
      },
    };
  }

  #envelope({ credentialId = this.#credential.id }: Flaws) {
    return {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key' as const,
      clientExtensionResults: {},
    };
  }

  #authData(rpId: string, { counter, isVerified = true }: Flaws, hasCredential: boolean): Buffer {
    const credential = this.#credential;
    credential.counter = counter ?? credential.counter + 1;
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (hasCredential ? HAS_CREDENTIAL : 0);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(credential.counter, 1);
    const parts = [hash('sha256', rpId, 'buffer'), rest];
    return Buffer.concat(hasCredential ? [...parts, attestedData(credential)] : parts);
  }
}

function makeCredential(id: string): Credential {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE_Key of an EC2 key for ES256 on P-256: RFC 9053, sections 2.1 and 7.1.1.
  const cosePublicKey = encodeCbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  return { id, privateKey, cosePublicKey, counter: 0 };
}

/** The empty AAGUID, the credential's id with its length, and its public key. */
function attestedData({ id, cosePublicKey }: Credential): Buffer {
  const credentialId = Buffer.from(id, 'base64url');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  return Buffer.concat([Buffer.alloc(16), length, credentialId, cosePublicKey]);
}

function clientData(type: 'webauthn.create' | 'webauthn.get', { challenge, origin }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
