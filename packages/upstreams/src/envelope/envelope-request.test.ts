import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { wrapForBedrock } from './bedrock-request.ts';
import { joinBody } from '../transport/transport.ts';
import { wrapForVertex } from './vertex-request.ts';

const request = (path: string, body: string, headers: readonly string[] = []) => ({
  origin: 'https://example.com',
  path,
  headers: ['x-team', 'blue', 'anthropic-version', '2023-06-01', ...headers],
  body: Buffer.from(body),
});
const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

describe('wrapForBedrock', () => {
  it('moves model and stream to the path, version and betas to the body', () => {
    const body = `{"model":"${MODEL}","stream":true,"max_tokens":16,"temperature":1.0}`;
    const wrapped = wrapForBedrock(request('/messages?beta=true', body, ['anthropic-beta', 'a-1, b-2']));
    expect(wrapped.path).toBe(
      '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream',
    );
    expect(joinBody(wrapped.body).toString()).toBe(
      '{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["a-1","b-2"],"max_tokens":16,"temperature":1.0}',
    );
    expect(wrapped.headers).toEqual(['x-team', 'blue']);
  });

  it('requests a whole response if streaming is off', () => {
    for (const stream of ['', ',"stream":false']) {
      const wrapped = wrapForBedrock(request('/messages', `{"model":"arn:aws:x/y"${stream}}`));
      expect(wrapped.path).toBe('/model/arn%3Aaws%3Ax%2Fy/invoke');
      expect(joinBody(wrapped.body).toString()).toBe('{"anthropic_version":"bedrock-2023-05-31"}');
    }
  });

  it('keeps the betas that the body already has', () => {
    const body = '{"model":"m","anthropic_beta":["b-2","c-3"]}';
    const wrapped = wrapForBedrock(request('/messages', body, ['anthropic-beta', 'a-1,b-2']));
    expect(JSON.parse(joinBody(wrapped.body).toString())).toMatchObject({
      anthropic_beta: ['a-1', 'b-2', 'c-3'],
    });
  });
});

describe('wrapForVertex', () => {
  const BASE = '/v1/projects/p/locations/global/publishers/anthropic/models';

  it.each([
    ['{"model":"claude-sonnet-4-5@20250929","stream":true}', 'streamRawPredict', '"stream":true'],
    ['{"model":"claude-sonnet-4-5@20250929"}', 'rawPredict', ''],
  ])('moves the model of %s to the path', (body, verb, stream) => {
    const wrapped = wrapForVertex(request(`${BASE}/messages?beta=true`, body, ['anthropic-beta', 'a-1']));
    expect(wrapped.path).toBe(`${BASE}/claude-sonnet-4-5@20250929:${verb}`);
    const members = ['"anthropic_version":"vertex-2023-10-16"', stream].filter((member) => member !== '');
    expect(joinBody(wrapped.body).toString()).toBe(`{${members.join(',')}}`);
    expect(wrapped.headers).toEqual(['x-team', 'blue', 'anthropic-beta', 'a-1']);
  });

  it('keeps the model in the body of token counting requests', () => {
    const wrapped = wrapForVertex(request(`${BASE}/messages/count_tokens`, '{"model":"claude-x"}'));
    expect(wrapped.path).toBe(`${BASE}/count-tokens:rawPredict`);
    expect(JSON.parse(joinBody(wrapped.body).toString())).toEqual({
      anthropic_version: 'vertex-2023-10-16',
      model: 'claude-x',
    });
  });
});
