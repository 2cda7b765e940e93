import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';

describe("the name of an OpenAI caller's end user", () => {
  const encode = (user: string) => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const decoded = getCodec('openai-chat').decodeRequest({ model: 'm', user, messages });
    if (!decoded.ok) throw new Error(decoded.error.message);
    const request = { ...decoded.value, model: 'claude-opus-4-8' };
    return getCodec('anthropic-messages').encodeRequest(request, { quirks: NO_QUIRKS, defaultMaxTokens: 16 });
  };

  it.each(['bob@example.com', 'Bob <bob@example.com>', '+47 22 12 34 56', '(555) 123-4567', 'u'.repeat(257)])(
    'is left out if Anthropic refuses it: %s',
    (user) => {
      const encoded = encode(user);
      expect(encoded).toMatchObject({ ok: true, dropped: ['user'] });
      expect(encoded.ok && encoded.body['metadata']).toBeUndefined();
    },
  );

  it.each(['bob', 'user_42', '3f2c9a1e-0000-4000-8000-000000000000', 'u'.repeat(256)])(
    'is sent if it is opaque: %s',
    (user) => {
      expect(encode(user)).toMatchObject({ ok: true, dropped: [], body: { metadata: { user_id: user } } });
    },
  );
});
