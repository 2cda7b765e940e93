import type { Split } from '@tollgate/testing/fake-provider/script';
import { takeJsonMembers } from '@tollgate/dialects/json/edit-members';
import { EVENT_STREAM_TYPE } from '../../src/pipeline/content-types.ts';
import { describeRecordings, loadRecordings, type RecordedCase } from '@tollgate/testing/recordings';
import { afterAll, describe, expect, it } from 'vitest';
import { asksForUsage, expectedStream } from '../faults/expected-stream.ts';
import { MODEL, startGateway } from '../gateway-fixture.ts';
import { verifyUsage } from './verify-usage.ts';

const recordings = loadRecordings();
const { cases } = recordings;
/** Streams that are sent in the smallest pieces. The tap's own test splits all of them so, without a network. */
const EVERY_BYTE_LIMIT = Number(process.env.REPLAY_EVERY_BYTE ?? 1_300);
/** Larger streams are sent in pieces of some dozen bytes: each piece costs several system calls. */
const SMALL_PIECES_LIMIT = Math.max(8_000, EVERY_BYTE_LIMIT);

/** Requests that the gateway itself refuses: `max_tokens: 0`. */
const REFUSED_HERE = ['openai/chat-error-400-parameter'];

const models = [...new Set([MODEL, ...cases.map(getModel)])];
const gateways = {
  node: await startGateway({ models }),
  web: await startGateway({ models, runtime: 'web' }),
};
const counts = { exchanges: 0, splits: 0, hiddenUsageChunks: 0, withoutRequest: 0 };

afterAll(async () => {
  process.stdout.write(
    `${describeRecordings(recordings)}. Replayed on two runtimes: ${JSON.stringify(counts)}\n`,
  );
  await gateways.node[Symbol.asyncDispose]();
  await gateways.web[Symbol.asyncDispose]();
});

function getModel(recorded: RecordedCase): string {
  return typeof recorded.request?.json.model === 'string' ? recorded.request.json.model : MODEL;
}

/** The recorded request, or a minimal one that gets such a response. */
function getRequest(recorded: RecordedCase): Buffer {
  // Callers cannot choose the provider: the request would be rejected.
  if (recorded.request !== null) {
    const { body, json } = recorded.request;
    return json['provider'] === undefined ? body : takeJsonMembers(body, ['provider']).rest;
  }
  counts.withoutRequest += 1;
  const messages = [{ role: 'user', content: 'Hello' }];
  return Buffer.from(JSON.stringify({ model: MODEL, max_tokens: 64, stream: recorded.isStream, messages }));
}

function getContentType(recorded: RecordedCase): string {
  return (
    recorded.responseHeaders['content-type'] ?? (recorded.isStream ? 'text/event-stream' : 'application/json')
  );
}

async function replay(runtime: 'node' | 'web', recorded: RecordedCase, split: Split) {
  const { provider, baseUrl, secret } = gateways[runtime];
  provider.reset();
  const body = getRequest(recorded);
  provider.always({
    split,
    replay: {
      body: recorded.responseBody,
      status: recorded.status,
      contentType: getContentType(recorded),
    },
  });
  const isOpenai = recorded.dialect === 'openai-chat';
  const response = await fetch(`${baseUrl}${isOpenai ? '/chat/completions' : '/messages'}`, {
    method: 'POST',
    headers: isOpenai
      ? { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      : { 'x-api-key': secret, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: new Uint8Array(body),
  });
  counts.splits += 1;
  return {
    status: response.status,
    bytes: Buffer.from(await response.arrayBuffer()),
    contentType: response.headers.get('content-type'),
    served: provider.requests[0],
    sent: body,
  };
}

function getSplits({ isStream, responseBody: { length } }: RecordedCase): Split[] {
  if (!isStream) return ['natural'];
  const everyByte: Split[] = length <= EVERY_BYTE_LIMIT ? ['every-byte'] : [];
  return ['natural', 'burst', length <= SMALL_PIECES_LIMIT ? 7 : 53, ...everyByte];
}

describe.each(['node', 'web'] as const)('on %s', (runtime) => {
  it.each(cases.filter((recorded) => REFUSED_HERE.includes(recorded.name)))(
    '$name is refused before it reaches the provider',
    async (recorded) => {
      const { status, bytes, served } = await replay(runtime, recorded, 'natural');
      expect([status, served]).toEqual([400, undefined]);
      expect(JSON.parse(bytes.toString())).toMatchObject({ error: { param: 'max_tokens' } });
    },
  );

  it.each(cases.filter(({ status }) => status < 400))('$name is relayed as recorded', async (recorded) => {
    const isUsageAsked = asksForUsage(recorded.request?.json);
    const expected = recorded.isStream ? expectedStream(recorded, isUsageAsked) : recorded.responseBody;
    for (const split of getSplits(recorded)) {
      const { status, bytes, contentType, served, sent } = await replay(runtime, recorded, split);
      expect(bytes.toString(), `split by ${String(split)}`).toBe(expected.toString());
      expect(bytes.equals(expected)).toBe(true);
      expect(status).toBe(recorded.status);
      expect(contentType).toBe(recorded.isStream ? EVENT_STREAM_TYPE : 'application/json');
      // The provider got the caller's request, except for the usage that the gateway requests.
      const mustAsk = recorded.dialect === 'openai-chat' && !isUsageAsked && isStreamed(sent);
      if (mustAsk) expect(JSON.parse(String(served?.body))).toEqual(withUsageAsked(sent));
      else expect(served?.body.equals(sent)).toBe(true);
    }
    counts.exchanges += 1;
    if (expected.length !== recorded.responseBody.length) counts.hiddenUsageChunks += 1;
  });
});

it.skipIf(cases.length === 0)('stored usage reports decode to the billed usage', async () => {
  for (const { database } of [gateways.node, gateways.web]) {
    const { compared = 0, ...rest } = await verifyUsage(database);
    expect(rest).toEqual({ findings: [], absent: 0, truncated: 0, unreadable: 0 });
    expect(compared).toBeGreaterThan(20);
  }
});

function isStreamed(body: Buffer): boolean {
  return JSON.parse(body.toString()).stream === true;
}

function withUsageAsked(body: Buffer): unknown {
  const json = JSON.parse(body.toString());
  return { ...json, stream_options: { ...json.stream_options, include_usage: true } };
}
