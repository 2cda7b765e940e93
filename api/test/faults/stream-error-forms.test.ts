import { randomBytes } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import { createSealer } from '@tollgate/auth/seal';
import type { Dialect } from '@tollgate/core/models/dialect';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { credentialContext } from '@tollgate/upstreams/credential/credential';
import OpenAI from 'openai';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';

/** It has no format that a pattern could match: redaction must know it. */
const SECRET = 'zq9-opaque.provider.credential';
const DIALECTS: Dialect[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];

const database = await createTestDatabase();
const { sql } = database.db;
const encryptionKey = randomBytes(32).toString('base64');
const provider = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
for (const dialect of DIALECTS) {
  const credential = JSON.stringify({ kind: 'api-key', apiKey: SECRET, headers: {} });
  const sealed = createSealer(encryptionKey)?.seal(credential, credentialContext(dialect)) ?? null;
  await sql`INSERT INTO providers (id, name, dialect, base_url, credential_sealed)
    VALUES (${dialect}, ${dialect}, ${dialect}, ${`${provider.origin}/v1`}, ${sealed})`;
  await sql`INSERT INTO models (id) VALUES (${dialect})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES (${dialect}, 1000000000, 2000000000, now() - interval '1 minute')`;
  await sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${`route_${dialect}`}, ${dialect}, ${dialect})`;
}
const api = await startTestApi({ db: database.db, runtime: 'node', encryptionKey, attempts: 1 });
afterAll(async () => {
  await api.close();
  await provider.close();
  await database[Symbol.asyncDispose]();
});

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: { type: string; [member: string]: unknown }) => `event: ${data.type}\n${event(data)}`;
const START: Record<Dialect, string> = {
  'openai-chat': event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Grüße' }, finish_reason: null }],
  }),
  'anthropic-messages':
    named({
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }) +
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
    named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße' } }),
  'openai-responses':
    named({
      type: 'response.created',
      response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
    }) + named({ type: 'response.output_text.delta', item_id: 'i', output_index: 0, delta: 'Grüße' }),
};
const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const message = `bad key ${SECRET}`;
const FORMS: Record<string, string> = {
  'plain text': `event: error\ndata: ${message}\n\n`,
  'a JSON string': `event: error\ndata: "${message}"\n\n`,
  'a list': `data: [{"error":{"message":"${message}"}}]\n\n`,
  'a detail': event({ detail: message }),
  'a message': event({ message, code: 401 }),
  'cut JSON': `data: {"error":{"message":"${message}"\n\n`,
  'a line without "data:"': `{"error":{"message":"${message}"}}\n\n`,
  'an error that is too deep': `data: {"error":{"message":"${message}","x":${nested}}}\n\n`,
  'a comment': `: ${message}\n\n`,
  'a message given twice': `data: {"error":{"message":"${message}","message":"x"}}\n\n`,
};

/** Reads a stream with the official SDK. @returns what the caller got, byte by byte; `error` is what the SDK threw */
async function readWithSdk(dialect: Dialect, model: string): Promise<{ text: string; error: unknown }> {
  const pieces: Uint8Array[] = [];
  const copying: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    const copy = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        pieces.push(piece);
        controller.enqueue(piece);
      },
    });
    return new Response(response.body?.pipeThrough(copy) ?? null, response);
  };
  const options = { baseURL: api.baseUrl, apiKey: secret, maxRetries: 0, fetch: copying };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const read = async () => {
    if (dialect === 'anthropic-messages') {
      const client = new Anthropic(options);
      await client.messages.stream({ model, max_tokens: 64, messages }).finalMessage();
    } else if (dialect === 'openai-chat') {
      const stream = await new OpenAI(options).chat.completions.create({ model, messages, stream: true });
      await Array.fromAsync(stream);
    } else {
      const stream = await new OpenAI(options).responses.create({ model, input: 'Hello', stream: true });
      await Array.fromAsync(stream);
    }
    return null;
  };
  const error = await read().catch((thrown: unknown) => thrown);
  return { text: Buffer.concat(pieces).toString(), error };
}

describe.each(DIALECTS)('an error inside a started stream of a provider that speaks %s', (from) => {
  it.each(Object.entries(FORMS).flatMap(([form, sent]) => DIALECTS.map((to) => ({ form, to, sent }))))(
    'has no credential and is an error for the SDK of $to if it is $form',
    async ({ to, sent }) => {
      provider.reset();
      const body = START[from] + sent;
      provider.always({
        replay: { body, contentType: 'text/event-stream' },
        split: 'natural',
        intervalMs: 20,
      });
      const { text, error } = await readWithSdk(to, from);
      expect(text).toContain('Grüße');
      expect(text).not.toContain(SECRET);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).not.toContain(SECRET);
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/);
    },
  );
});
