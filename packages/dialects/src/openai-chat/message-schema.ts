import { z } from 'zod';

/**
 * The messages of a request as the decoder of this dialect takes them
 * (https://platform.openai.com/docs/api-reference/chat/create#messages). For the published description of the API: the
 * decoder itself reads without a schema, and a test of the api holds the two to each other.
 */
const named = z.string().min(1);

/** A part of a kind that is not known is handed on as it is to providers of this dialect. */
const otherPart = (...known: readonly string[]) =>
  z.looseObject({ type: z.string().regex(new RegExp(`^(?!(?:${known.join('|')})$)[\\s\\S]`)) });

const textPart = z.looseObject({ type: z.enum(['text', 'input_text']), text: z.string() });

/** A pattern of JSON Schema has no flags: both cases are written out. */
export const imageUrlSchema = z
  .string()
  .regex(
    /^(?:[hH][tT][tT][pP][sS]?:\/\/|[dD][aA][tT][aA]:[^;,]+(?:;[^;,]+)*;[bB][aA][sS][eE]64,)/,
    'must be an http or https URL, or a data URL in base64',
  );
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.union([
    z.looseObject({ url: imageUrlSchema, detail: z.enum(['auto', 'low', 'high']).nullish() }),
    imageUrlSchema,
  ]),
});

const audioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ format: z.enum(['wav', 'mp3']), data: named }),
});

const optionalText = z.string().nullish();
const filePart = z.looseObject({
  type: z.literal('file'),
  file: z.union([
    z.looseObject({ file_data: z.string(), file_id: optionalText, filename: optionalText }),
    z.looseObject({ file_id: z.string(), file_data: optionalText, filename: optionalText }),
  ]),
});

const userContent = z.union([
  z.string(),
  z.array(
    z.union([
      textPart,
      imagePart,
      audioPart,
      filePart,
      otherPart('text', 'input_text', 'image_url', 'input_audio', 'file'),
    ]),
  ),
]);

const toolContent = z.union([
  z.string(),
  z.array(
    z.union([
      textPart,
      imagePart,
      filePart,
      otherPart('text', 'input_text', 'image_url', 'input_audio', 'file'),
    ]),
  ),
]);

const assistantContent = z.union([
  z.string(),
  z.array(
    z.union([
      z.looseObject({ type: z.enum(['text', 'output_text']), text: z.string() }),
      z.looseObject({ type: z.literal('refusal'), refusal: optionalText }),
      otherPart('text', 'output_text', 'refusal'),
    ]),
  ),
]);

const toolCall = z.union([
  z.looseObject({
    id: named,
    function: z.looseObject({
      name: named,
      arguments: z
        .union([z.string(), z.looseObject({})])
        .nullish()
        .meta({ description: 'JSON in a string' }),
    }),
  }),
  z.looseObject({ id: named, custom: z.looseObject({ name: named }) }),
]);

const systemMessage = z.looseObject({
  role: z.enum(['system', 'developer']),
  content: z.union([z.string(), z.array(textPart)]).nullish(),
});
const userMessage = z.looseObject({ role: z.literal('user'), name: optionalText, content: userContent });
const assistantMessage = z.looseObject({
  role: z.literal('assistant'),
  name: optionalText,
  content: assistantContent.nullish(),
  refusal: optionalText,
  tool_calls: z.array(toolCall).nullish(),
  function_call: z.looseObject({ name: named }).nullish().meta({ deprecated: true }),
});
const toolMessage = z.looseObject({ role: z.literal('tool'), tool_call_id: named, content: toolContent });
const functionMessage = z
  .looseObject({ role: z.literal('function'), name: named, content: toolContent.nullish() })
  .meta({ deprecated: true });

export const messageSchema = z
  .union([systemMessage, userMessage, assistantMessage, toolMessage, functionMessage])
  .meta({ id: 'ChatMessage' });
