import { Buffer } from 'node:buffer';
import { describeRecordings, loadRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { eventFrame, exceptionFrame } from './bedrock-frame.fixture.ts';
import { EnvelopeListener } from './envelope-listener.ts';
import { createHeardCall, type HeardCall } from './heard-call.fixture.ts';

const recordings = loadRecordings();
const streams = recordings.cases.filter(
  ({ dialect, isStream, status }) => dialect === 'anthropic-messages' && isStream && status === 200,
);

/** The data of all events of a stream, and the stream without anything else. */
function readEvents(stream: Buffer): { data: string[]; canonical: string } {
  // Another gateway ended its streams with a line of the other dialect.
  const lines = [...stream.toString('utf8').matchAll(/^data: (\{.*)$/gm)];
  const data = lines.map(([, text]) => text ?? '');
  const typed = data.map((text) => `event: ${String(JSON.parse(text).type)}\ndata: ${text}\n\n`);
  return { data, canonical: typed.join('') };
}

/** Plays a response of Bedrock, in chunks. */
function play(
  chunks: readonly Buffer[],
  answer = { status: 200, type: 'application/vnd.amazon.eventstream' },
) {
  const heard = createHeardCall();
  let aborts = 0;
  const listener = new EnvelopeListener(heard, () => (aborts += 1));
  listener.onStart(answer.status, (name) => (name === 'content-type' ? answer.type : null));
  for (const chunk of chunks) listener.onData(chunk);
  listener.onEnd();
  return { heard, aborts: () => aborts };
}

describe(`Bedrock stream. ${describeRecordings(recordings)}`, () => {
  it('has streams to run on', () => expect(streams.length).toBeGreaterThan(0));

  it.each(streams.map((recorded) => [recorded.name, recorded] as const))(
    "is converted to Anthropic's events: %s",
    (_, { responseBody }) => {
      const { data, canonical } = readEvents(responseBody);
      const framed = Buffer.concat(data.map(eventFrame));
      const { heard } = play([framed]);
      expect(heard).toMatchObject({
        status: 200,
        contentType: 'text/event-stream; charset=utf-8',
        isEnded: true,
      });
      expect(heard.body()).toBe(canonical);
    },
  );

  it('decodes to the same events wherever its bytes are cut', () => {
    const [shortest] = streams.toSorted((a, b) => a.responseBody.length - b.responseBody.length);
    const { data, canonical } = readEvents(shortest?.responseBody ?? Buffer.alloc(0));
    const framed = Buffer.concat(data.map(eventFrame));
    const single = Array.from({ length: framed.length }, (_, at) => framed.subarray(at, at + 1));
    expect(play(single).heard.body()).toBe(canonical);
    for (let cut = 1; cut < framed.length; cut += 1) {
      const { heard } = play([framed.subarray(0, cut), framed.subarray(cut)]);
      if (heard.body() !== canonical || !heard.isEnded) throw new Error(`wrong when cut at ${cut}`);
    }
  });

  it('is incomplete if it ends within a frame', () => {
    const framed = Buffer.concat([eventFrame('{"type":"ping"}'), eventFrame('{"type":"message_stop"}')]);
    const first = eventFrame('{"type":"ping"}').length;
    for (let end = 1; end < framed.length; end += 1) {
      const { heard } = play([framed.subarray(0, end)]);
      if (end === first) expect(heard).toMatchObject({ failure: null, isEnded: true });
      else expect(heard).toMatchObject({ failure: { kind: 'cut' }, isEnded: false });
    }
  });

  it('fails if a single bit of a frame is flipped', () => {
    const frame = eventFrame('{"type":"ping"}');
    for (let at = 0; at < frame.length; at += 1) {
      const broken = Buffer.from(frame);
      broken[at] = (broken[at] ?? 0) ^ 1;
      const { heard } = play([broken]);
      expect(heard.failure?.kind).toBe('cut');
      expect(heard.body()).toBe('');
    }
  });

  it('aborts the provider call if it cannot be read, without further events', () => {
    const { heard, aborts } = play([Buffer.from('HTTP/1.1 200 OK and so on'), eventFrame('{"type":"ping"}')]);
    expect(heard.failure?.kind).toBe('cut');
    expect(aborts()).toBe(1);
  });

  it.each([
    ['throttlingException', 'rate_limit_error'],
    ['modelStreamErrorException', 'api_error'],
    ['serviceUnavailableException', 'overloaded_error'],
    ['validationException', 'invalid_request_error'],
    ['somethingNewException', 'api_error'],
  ])('reports %s as an error event', (name, type) => {
    const { heard } = play([eventFrame('{"type":"ping"}'), exceptionFrame(name, 'Too many\nrequests')]);
    const event = { type: 'error', error: { type, message: 'Too many\nrequests' } };
    expect(heard.body()).toBe(
      `event: ping\ndata: {"type":"ping"}\n\nevent: error\ndata: ${JSON.stringify(event)}\n\n`,
    );
  });

  it('writes an event of several lines on one line', () => {
    const { heard } = play([eventFrame('{\n  "type": "ping"\n}')]);
    expect(heard.body()).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });
});

describe('cloud error', () => {
  const error = (status: number, body: string): HeardCall =>
    play([Buffer.from(body)], { status, type: 'application/x-amz-json' }).heard;

  it.each([
    [403, '{"message":"The security token is invalid"}', 'permission_error', 'The security token is invalid'],
    [404, '{"Message":"No such model"}', 'not_found_error', 'No such model'],
    [429, '[{"error":{"code":429,"message":"Quota"}}]', 'rate_limit_error', 'Quota'],
    [400, '{"error":{"code":400,"message":"Bad"}}', 'invalid_request_error', 'Bad'],
    [502, '<html>', 'api_error', 'The provider answered 502'],
  ])('with %i and %s is converted to the dialect', (status, body, type, message) => {
    const heard = error(status, body);
    expect(heard).toMatchObject({ status, contentType: 'application/json', isEnded: true });
    expect(JSON.parse(heard.body())).toEqual({ type: 'error', error: { type, message } });
  });

  it("keeps the message of the model's maker", () => {
    const said = '{"type":"error","error":{"type":"invalid_request_error","message":"x"},"request_id":"r"}';
    expect(error(400, said).body()).toBe(said);
  });

  it('does not change a successful response', () => {
    const answer = { status: 200, type: 'application/json' };
    const { heard } = play([Buffer.from('{"id":'), Buffer.from('"m"}')], answer);
    expect(heard).toMatchObject({ contentType: 'application/json', isEnded: true });
    expect(heard.body()).toBe('{"id":"m"}');
  });
});
