import { describe, expect, it } from 'vitest';
import { parseTools } from './parse-tools.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tool = { name: 'get_weather', description: 'Returns the weather', parameters };

describe('tools as typed', () => {
  it('are read in the form of either dialect, and in the plain one', () => {
    const { parameters: input_schema, ...rest } = tool;
    for (const typed of [tool, { type: 'function', function: tool }, { ...rest, input_schema }])
      expect(parseTools(JSON.stringify([typed]))).toEqual({ ok: true, tools: [tool] });
  });

  it('are none if nothing is typed', () => {
    expect(parseTools(' \n')).toEqual({ ok: true, tools: [] });
  });

  it.each([
    ['[', /Invalid JSON/],
    ['{"name":"a"}', /JSON array/],
    ['[{"name":"has blanks"}]', /Tool 1: name: .*letters/],
    ['[{"name":"a"},{"name":"b","parameters":7}]', /Tool 2: parameters/],
    ['[{"name":"a"},{"name":"a"}]', /Tool 2: the name a is already used/],
    ['[{"type":"function","function":{}}]', /Tool 1: function\.name/],
    ['[7]', /Tool 1/],
  ])('that are wrong are refused in words: %s', (text, message) => {
    const parsed = parseTools(text);
    expect(parsed.ok ? 'taken' : parsed.message).toMatch(message);
  });
});
