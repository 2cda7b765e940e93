import type { AwsCredential } from '../credential/credential.ts';
import { joinBody, type UpstreamRequest } from '../transport/transport.ts';
import { Sha256 } from './sha256.ts';

/** Name of Bedrock's runtime in a signature. */
const SERVICE = 'bedrock';

/**
 * Signs a request with Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). The request must not
 * change afterwards. The query is dropped, because Bedrock does not use it.
 * @param at the time of signing; Amazon accepts a signature for five minutes
 */
export async function signForAws(
  request: UpstreamRequest,
  credential: AwsCredential,
  at: { region: string; date: Date },
): Promise<UpstreamRequest> {
  // Loaded on first use: with its dependencies it is large, and most installations do not need it.
  const { SignatureV4 } = await import('@smithy/signature-v4');
  const { accessKeyId, secretAccessKey, sessionToken } = credential;
  const signer = new SignatureV4({
    service: SERVICE,
    region: at.region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) },
    sha256: Sha256,
  });
  const url = new URL(request.origin);
  const [path = '/'] = request.path.split('?', 1);
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path,
      query: {},
      headers: { ...toRecord(request.headers), host: url.host },
      body: joinBody(request.body),
    },
    { signingDate: at.date },
  );
  // The transport writes the host itself.
  const { host: _, ...headers } = signed.headers;
  return { ...request, path, headers: Object.entries(headers).flat() };
}

function toRecord(list: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) record[list[at] ?? ''] = list[at + 1] ?? '';
  return record;
}
