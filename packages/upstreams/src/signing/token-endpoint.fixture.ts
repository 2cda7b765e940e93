import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { GoogleCredential } from '../credential/credential.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export interface TokenEndpoint {
  /** The service account that the endpoint accepts. */
  credential: GoogleCredential;
  /** Number of token requests. */
  purchases(): number;
  /** Next results: a status, and the lifetime of a token. */
  behave(next: { status?: number; holdsSeconds?: number }): void;
  close(): void;
}

/** An OAuth token endpoint that accepts assertions of one service account, verified as by Google. */
export async function createTokenEndpoint(): Promise<TokenEndpoint> {
  let purchases = 0;
  let behaviour = { status: 200, holdsSeconds: 3_600 };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      purchases += 1;
      const form = new URLSearchParams(body);
      const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
      const problem = isGrant ? findProblem(form.get('assertion') ?? '', url()) : 'unsupported_grant_type';
      const status = problem === null ? behaviour.status : 400;
      const answer =
        status === 200
          ? { access_token: `ya29.${purchases}`, token_type: 'Bearer', expires_in: behaviour.holdsSeconds }
          : { error: 'invalid_grant', error_description: problem ?? 'as scripted' };
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  return {
    credential: {
      kind: 'google',
      clientEmail: 'gateway@project.iam.gserviceaccount.com',
      privateKey,
      privateKeyId: null,
      tokenUrl: url(),
      headers: {},
    },
    purchases: () => purchases,
    behave: (next) => (behaviour = { ...behaviour, ...next }),
    close: () => server.close(),
  };
}

/** @returns the error of an assertion (RFC 7523 section 3); null: valid */
function findProblem(assertion: string, audience: string): string | null {
  const [header = '', payload = '', signature = ''] = assertion.split('.');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    createPublicKey(publicKey),
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'Invalid JWT Signature.';
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const nowSeconds = Date.now() / 1000;
  if (claims['iss'] !== 'gateway@project.iam.gserviceaccount.com') return 'unknown issuer';
  if (claims['aud'] !== audience) return 'wrong audience';
  if (claims['scope'] !== 'https://www.googleapis.com/auth/cloud-platform') return 'wrong scope';
  if (Number(claims['exp']) <= nowSeconds || Number(claims['iat']) > nowSeconds + 5) return 'wrong time';
  return null;
}
