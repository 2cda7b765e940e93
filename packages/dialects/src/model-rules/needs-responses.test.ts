import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/parse-object.ts';
import { needsResponses } from './needs-responses.ts';

const tools = [{ type: 'function', function: { name: 'f' } }];
const adaptive = { thinking: { type: 'adaptive' }, tools: [{ name: 'f', input_schema: {} }] };

describe('needsResponses', () => {
  it.each<[string, JsonObject, boolean]>([
    ['gpt-5.4', { tools, reasoning_effort: 'low' }, true],
    ['gpt-5.4', { tools }, false],
    ['gpt-5.4', { tools: [], reasoning_effort: 'low' }, false],
    ['gpt-5.5', { tools }, true],
    ['gpt-5.5', { tools, reasoning_effort: 'none' }, false],
    ['gpt-6.1-sol', { tools, reasoning_effort: 'none' }, true],
    ['gpt-5', { tools, reasoning_effort: 'low' }, false],
    ['gpt-5-codex', {}, true],
    ['gpt-4o', { tools, reasoning_effort: 'low' }, false],
    ['gpt-oss-120b', { tools, reasoning_effort: 'low' }, false],
    ['gpt-5.5', { tools, n: 2 }, false],
    ['gpt-5.5', { tools, web_search_options: {} }, false],
    ['gpt-5.5', { tools, modalities: ['text', 'audio'] }, false],
  ])('decides for %s with %j in chat completions: %s', (model, members, needed) => {
    expect(needsResponses(model, members, 'openai-chat')).toBe(needed);
  });

  it.each<[string, JsonObject, boolean]>([
    ['gpt-5.5', adaptive, true],
    ['gpt-5', adaptive, true],
    ['o3', adaptive, true],
    ['gpt-4o', adaptive, false],
    ['gpt-5.5', { ...adaptive, thinking: { type: 'disabled' } }, false],
    ['gpt-5', { ...adaptive, thinking: { type: 'disabled' } }, true],
    ['gpt-5.5', { thinking: { type: 'adaptive' } }, false],
    ['claude-opus-5', adaptive, false],
  ])('decides for %s with %j in messages: %s', (model, members, needed) => {
    expect(needsResponses(model, members, 'anthropic-messages')).toBe(needed);
  });
});
