import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventFrame } from '@tollgate/upstreams/envelope/bedrock-frame.fixture';
import { computeSignature, readAuthorization } from '@tollgate/upstreams/signing/verify-sigv4.fixture';

const INVOKE = /^\/model\/([^/]+)\/invoke(-with-response-stream)?$/;

export interface FakeBedrock {
  origin: string;
  close(): void;
}

/**
 * Bedrock in front of a provider of Anthropic's dialect: it checks each signature like Amazon, unwraps requests, and frames
 * responses.
 */
export async function createFakeBedrock(anthropicOrigin: string, secret: string): Promise<FakeBedrock> {
  const server = createServer((incoming, response) => {
    void buffer(incoming).then(async (body) => {
      const refuse = (status: number, message: string) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
      if (!isSigned(incoming, body, secret))
        return refuse(403, 'The request signature we calculated does not match the signature you provided.');
      const [, model, streams] = INVOKE.exec(incoming.url ?? '') ?? [];
      const { anthropic_version: version, ...rest } = JSON.parse(body.toString()) as Record<string, unknown>;
      if (model === undefined || version !== 'bedrock-2023-05-31' || 'model' in rest || 'stream' in rest)
        return refuse(400, 'Malformed input request');
      const answer = await fetch(`${anthropicOrigin}/v1/messages`, {
        method: 'POST',
        body: JSON.stringify({ ...rest, model: decodeURIComponent(model), stream: streams !== undefined }),
      });
      const text = await answer.text();
      if (streams === undefined || !answer.ok) return response.writeHead(answer.status).end(text);
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => eventFrame(data ?? ''));
      return response.end(Buffer.concat(events));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isSigned({ method, url, headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const single = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const request = { method: method ?? '', path: url ?? '', headers: single, body };
  return readAuthorization(single['authorization'] ?? '').signature === computeSignature(request, secret);
}
