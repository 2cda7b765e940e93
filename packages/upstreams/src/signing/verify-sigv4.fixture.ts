import { createHash, createHmac } from 'node:crypto';

/** A received request. */
export interface ReceivedRequest {
  method: string;
  /** As in the request line, without a query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/**
 * Computes Signature Version 4 from Amazon's description, without the library:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @throws Error if the `authorization` header has another scheme
 */
export function computeSignature(request: ReceivedRequest, secretAccessKey: string): string {
  const { date, region, service, signedHeaders } = readAuthorization(request.headers['authorization'] ?? '');
  const canonicalPath = request.path.split('/').map(encodeSegment).join('/');
  const canonicalHeaders = signedHeaders
    .map((name) => `${name}:${(request.headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}\n`)
    .join('');
  const canonicalRequest = [
    request.method,
    canonicalPath,
    '',
    canonicalHeaders,
    signedHeaders.join(';'),
    sha256(request.body),
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const moment = request.headers['x-amz-date'] ?? '';
  const stringToSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonicalRequest)].join('\n');
  const signingKey = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, date));
  return hmac(signingKey, stringToSign).toString('hex');
}

/** Path segments are encoded twice, as by every service except S3. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase() ?? ''}`,
  );
}

/** Parses an `authorization` header of Signature Version 4. */
export function readAuthorization(header: string) {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (match === null) throw new Error(`no signature: ${header}`);
  const [, accessKeyId = '', date = '', region = '', service = '', signedHeaders = '', signature = ''] =
    match;
  return { accessKeyId, date, region, service, signedHeaders: signedHeaders.split(';'), signature };
}
