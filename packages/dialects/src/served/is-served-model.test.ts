import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../json/parse-object.ts';
import { servedRateTerms } from './compare-served-terms.ts';
import { isServedModel } from './is-served-model.ts';
import { readServedTerms } from './read-served-terms.ts';

const PLAIN = { serviceTier: null, speed: null, inferenceGeo: null };

describe('isServedModel', () => {
  it.each([
    ['gpt-5.4', 'gpt-5.4-2026-03-05'],
    ['gpt-3.5-turbo', 'gpt-3.5-turbo-0125'],
    ['openai/gpt-5.4', 'gpt-5.4-2026-03-05'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-haiku-4.5', 'claude-haiku-4-5-20251001'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['global.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['openai.gpt-oss-120b-1:0', 'openai.gpt-oss-120b-1:0'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
    ['mistral-small-latest', 'mistral-small-2506'],
    ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['gemini-2.0-flash', 'gemini-2.0-flash-001'],
    ['gemini-flash-latest', 'gemini-2.5-flash-preview-09-2025'],
    ['accounts/fireworks/models/kimi-k2p5', 'accounts/fireworks/models/kimi-k2p5'],
    ['openai/gpt-4o:online', 'openai/gpt-4o'],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/x', 'claude-sonnet-4-5-20250929'],
    ['Qwen3-1.7B-Q4_K_M', '/models/Qwen3-1.7B-Q4_K_M.gguf'],
  ])('takes %s answered by %s for the same', (asked, served) => {
    expect(isServedModel(asked, served)).toBe(true);
  });

  it.each([
    ['gpt-5.4', 'gpt-5.4-mini'],
    ['gpt-5.4', 'gpt-5.4-pro-2026-03-05'],
    ['gpt-5.4-mini', 'gpt-5.4'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06'],
    ['gpt-4o-2024-05-13', 'gpt-4o'],
    ['claude-sonnet-4-5', 'claude-opus-4-5-20251101'],
    ['claude-sonnet-4', 'claude-sonnet-4-5'],
    ['claude-sonnet-4', 'claude-sonnet-4-5-20250929'],
    ['minimax/minimax-m2:free', 'minimax/minimax-m2'],
    ['grok-4-fast', 'grok-4'],
    ['mistral-small-latest', 'mistral-large-2506'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
    ['llama-3.1-8b', 'llama-3.1-70b'],
  ])('distinguishes %s from %s', (asked, served) => {
    expect(isServedModel(asked, served)).toBe(false);
  });
});

const recordings = loadDialectRecordings(['openai-chat', 'anthropic-messages', 'openai-responses']);

describe(`what answers say that was used. ${describeRecordings(recordings)}`, () => {
  const cases = recordings.cases.filter(
    ({ name, request, status }) => request !== null && status === 200 && !name.startsWith('azure/'),
  );

  it.each(cases.map((found) => [found.name, found] as const))('%s is the requested model', (_, found) => {
    const text = found.responseBody.toString('utf8');
    const bodies = found.isStream
      ? text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
      : [text];
    let served: ServedTerms | null = null;
    for (const body of bodies) served = readServedTerms(parseJsonObject(body) ?? {}, served);
    const asked = found.request?.json['model'];
    const isAsked = served === null || served.model === null || isServedModel(String(asked), served.model);
    expect(isAsked).toBe(true);
    expect(served === null ? PLAIN : servedRateTerms(served)).toEqual(PLAIN);
  });
});

describe('the terms of an answer', () => {
  const served = (terms: Partial<ServedTerms>): ServedTerms => ({ model: null, ...PLAIN, ...terms });

  it('are null under the names of the plain terms', () => {
    expect(
      servedRateTerms(served({ serviceTier: 'scale', speed: 'standard', inferenceGeo: 'global' })),
    ).toEqual(PLAIN);
    expect(servedRateTerms(served({ serviceTier: 'flex' }))).toEqual({ ...PLAIN, serviceTier: 'flex' });
  });

  it('are read from Anthropic’s events, and later events replace earlier ones', () => {
    const start = { type: 'message_start', message: { model: 'm', usage: { service_tier: 'standard' } } };
    const delta = { type: 'message_delta', usage: { service_tier: 'priority', speed: 'fast' } };
    const first = readServedTerms(start);
    expect(readServedTerms(delta, first)).toEqual({
      model: 'm',
      serviceTier: 'priority',
      speed: 'fast',
      inferenceGeo: null,
    });
  });
});
