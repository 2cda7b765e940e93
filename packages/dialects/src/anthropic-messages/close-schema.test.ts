import { describe, expect, it } from 'vitest';
import { closeSchema } from './close-schema.ts';

describe('closeSchema', () => {
  it('leaves a schema that fits as it is', () => {
    const schema = {
      type: 'object',
      properties: {
        maximum: { type: 'string' },
        list: { type: 'array', items: { type: 'number' }, minItems: 1 },
      },
      required: ['maximum'],
      additionalProperties: false,
    };
    expect(closeSchema(schema)).toEqual(schema);
  });

  it('closes objects wherever they are', () => {
    const open = { type: 'object', properties: {} };
    const closed = { ...open, additionalProperties: false };
    expect(
      closeSchema({
        $defs: { a: open },
        anyOf: [open, { type: 'array', items: open }],
        properties: { b: open },
      }),
    ).toEqual({
      $defs: { a: closed },
      anyOf: [closed, { type: 'array', items: closed }],
      properties: { b: closed },
    });
  });

  it('describes the limits that are not enforced to the model', () => {
    expect(closeSchema({ type: 'string', maxLength: 5, description: 'A name.' })).toEqual({
      type: 'string',
      description: 'A name. {"maxLength":5}',
    });
    expect(closeSchema({ type: 'array', minItems: 2 })).toEqual({
      type: 'array',
      description: '{"minItems":2}',
    });
  });
});
