import { z } from 'zod';
import { imageUrlSchema } from '../openai-chat/message-schema.ts';

/**
 * The items of `input` as the decoder of this dialect takes them
 * (https://platform.openai.com/docs/api-reference/responses/create). For the published description of the API, like
 * `openai-chat/message-schema.ts`.
 */
const named = z.string().min(1);
const optionalText = z.string().nullish();

const textPart = z.looseObject({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() });

const imageDetails = {
  type: z.literal('input_image'),
  detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
};
const imagePart = z.union([
  z.looseObject({ ...imageDetails, image_url: imageUrlSchema, file_id: optionalText }),
  z.looseObject({ ...imageDetails, file_id: z.string(), image_url: imageUrlSchema.nullish() }),
]);

const file = {
  type: z.literal('input_file'),
  filename: optionalText,
  file_data: optionalText,
  file_url: optionalText,
  file_id: optionalText,
};
const filePart = z.union([
  z.looseObject({ ...file, file_data: z.string() }),
  z.looseObject({ ...file, file_url: z.string() }),
  z.looseObject({ ...file, file_id: z.string() }),
]);

const audioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ format: z.enum(['wav', 'mp3']), data: named }),
});

/** Content of a kind that is not known is handed on as it is to providers of this dialect. */
const otherPart = z.looseObject({
  type: z
    .string()
    .regex(/^(?!(?:input_text|output_text|input_image|input_file|input_audio)$)(?:input|output)_/),
});

const content = z.union([
  z.string(),
  z.array(z.union([textPart, imagePart, filePart, audioPart, otherPart])),
]);
const resultContent = z.union([z.string(), z.array(z.union([textPart, imagePart, filePart, otherPart]))]);
const answerContent = z.union([
  z.string(),
  z.array(z.union([textPart, z.looseObject({ type: z.literal('refusal'), refusal: optionalText })])),
]);

const message = { type: z.literal('message').nullish() };

export const inputItemSchema = z
  .union([
    z.looseObject({ ...message, role: z.literal('user'), content }),
    z.looseObject({ ...message, role: z.literal('assistant'), content: answerContent.nullish() }),
    z.looseObject({
      ...message,
      role: z.enum(['system', 'developer']),
      content: z.union([z.string(), z.array(textPart)]),
    }),
    z.looseObject({
      type: z.literal('function_call'),
      call_id: named,
      name: named,
      arguments: z
        .union([z.string(), z.looseObject({}), z.array(z.unknown())])
        .nullish()
        .meta({ description: 'JSON in a string' }),
    }),
    z.looseObject({ type: z.literal('function_call_output'), call_id: named, output: resultContent }),
    z
      .looseObject({
        type: z.string().regex(/^(?!(?:message|function_call|function_call_output|item_reference)$)/),
      })
      .meta({ description: 'Reasoning, and items of the provider’s own tools' }),
  ])
  .meta({ id: 'ResponseInputItem' });
