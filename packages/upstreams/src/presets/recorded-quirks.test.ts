import { getMeaning, passThrough, translate } from '@tollgate/dialects/openai-chat/quirks/both-ways.fixture';
import { CHAT_LIMIT_MEMBERS, TAKEN_LIMIT_MEMBERS } from '@tollgate/dialects/limit-members';
import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { listUnfit } from '@tollgate/dialects/openai-chat/quirks/quirks.fixture';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { PRESETS } from './presets.ts';

const recordings = loadDialectRecordings(['openai-chat']);
const requests = recordings.cases.flatMap(({ name, request, status }) =>
  request === null || status !== 200 ? [] : [{ name, text: request.body.toString(), json: request.json }],
);
const presets = PRESETS.filter(({ dialect }) => dialect === 'openai-chat');

describe(`Quirks of presets on recorded requests. ${describeRecordings(recordings)}`, () => {
  it.each(requests)('$name means the same in passthrough and in translation', ({ text }) => {
    for (const { name, quirks } of presets) {
      const target = { quirks, model: 'm' };
      const passed = passThrough(text, target);
      const translated = translate(text, target);
      if (!passed.ok || !translated.ok) throw new Error(`${name} refuses it`);
      expect([name, ...listUnfit(translated.value.body, quirks, 'm')]).toEqual([name]);
      if (quirks === NO_QUIRKS) {
        expect(passed.value.bytes.toString()).toBe(text);
        continue;
      }
      expect([name, ...listUnfit(passed.value.body, quirks, 'm')]).toEqual([name]);
      expect({ name, ...getMeaning(passed.value.body, quirks) }).toEqual({
        name,
        ...getMeaning(translated.value.body, quirks),
      });
    }
  });

  it.each(requests)('$name loses nothing for the provider that took it', ({ name, text, json }) => {
    const preset = presets.find((found) => name.startsWith(`${found.name}/`));
    if (preset === undefined) return;
    const sent = passThrough(text, { quirks: preset.quirks, model: String(json['model']) });
    if (!sent.ok) throw new Error(sent.error.message);
    expect(sent.value.dropped).toEqual([]);
    // OpenRouter takes both names of the limit, and is sent the older one.
    const { maxTokensMember } = preset.quirks;
    const taken: readonly string[] = TAKEN_LIMIT_MEMBERS[maxTokensMember];
    const others = CHAT_LIMIT_MEMBERS.filter(
      (member) => json[member] !== undefined && !taken.includes(member),
    );
    const [other] = others;
    const rest = Object.fromEntries(Object.entries(json).filter(([member]) => member !== other));
    if (other !== undefined) expect(sent.value.body).toEqual({ ...rest, [maxTokensMember]: json[other] });
    else expect(sent.value.bytes.toString()).toBe(text);
  });
});
