import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import type { AwsCredential } from '../credential/credential.ts';
import { joinBody } from '../transport/transport.ts';
import { signForAws } from './sign-for-aws.ts';
import { computeSignature, readAuthorization } from './verify-sigv4.fixture.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const CREDENTIAL: AwsCredential = {
  kind: 'aws',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: SECRET,
  sessionToken: null,
  headers: {},
};
const AT = { region: 'us-east-1', date: new Date('2015-08-30T12:36:00Z') };

describe('computeSignature of the fixture', () => {
  // From Amazon's published test suite for Signature Version 4.
  it.each([
    ['GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ])("agrees with Amazon's own vector for a plain %s", (method, signature) => {
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`;
    const headers = { authorization, host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
    expect(computeSignature({ method, path: '/', headers, body: '' }, SECRET)).toBe(signature);
  });
});

describe('signForAws', () => {
  const request = {
    origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    path: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke?beta=true',
    headers: ['content-type', 'application/json', 'x-team', '  blue   team '],
    body: Buffer.from('{"messages":[{"role":"user","content":"grüß dich"}]}'),
  };

  async function signed(credential: AwsCredential) {
    const sent = await signForAws(request, credential, AT);
    const pairs = sent.headers.flatMap((name, at) =>
      at % 2 === 0 ? [[name, sent.headers[at + 1] ?? '']] : [],
    );
    return { sent, headers: Object.fromEntries(pairs) as Record<string, string> };
  }

  it('signs body, path and every header as Amazon documents it', async () => {
    const { sent, headers } = await signed(CREDENTIAL);
    const said = readAuthorization(headers['authorization'] ?? '');
    expect(said).toMatchObject({ accessKeyId: 'AKIDEXAMPLE', region: 'us-east-1', service: 'bedrock' });
    expect(said.signedHeaders).toEqual(
      expect.arrayContaining(['content-type', 'host', 'x-amz-date', 'x-team']),
    );
    const received = {
      method: 'POST',
      path: sent.path,
      headers: { ...headers, host: 'bedrock-runtime.us-east-1.amazonaws.com' },
      body: joinBody(sent.body),
    };
    expect(said.signature).toBe(computeSignature(received, SECRET));
    expect(said.signature).not.toBe(computeSignature({ ...received, body: '{}' }, SECRET));
    expect(said.signature).not.toBe(computeSignature(received, 'another secret'));
  });

  it('drops the caller’s query, and leaves the host to the transport', async () => {
    const { sent, headers } = await signed(CREDENTIAL);
    expect(sent.path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke');
    expect(headers).not.toHaveProperty('host');
  });

  it('sends and signs a session token', async () => {
    const { headers } = await signed({ ...CREDENTIAL, sessionToken: 'FwoGZXIvYXdz' });
    expect(headers['x-amz-security-token']).toBe('FwoGZXIvYXdz');
    expect(readAuthorization(headers['authorization'] ?? '').signedHeaders).toContain('x-amz-security-token');
  });
});
