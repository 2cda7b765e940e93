import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { JsonObjectBytes } from '../json/edit-members.ts';
import { findHistoryMarks, fitHistory, withHistory } from './fit-history.ts';

function send(json: string, model: string) {
  const target = { dialect: 'anthropic-messages', model, isKnown: true, isAnthropic: true } as const;
  const body = new JsonObjectBytes(Buffer.from(json));
  const history = fitHistory(body, target);
  // A thread searches for the marks of all targets.
  expect(fitHistory(body, target, findHistoryMarks(body.bytes, target.dialect))).toEqual(history);
  expect(history.dropped).toEqual([]);
  return body.edit(withHistory({ drops: [], changes: {} }, history)).toString();
}

const wrapped = (text: string) => `<system_instruction>\n${text}\n</system_instruction>`;

it.each(['"role":"system"', '"role" : "system"', String.raw`"role":"\u0073ystem"`])(
  'makes a message with %s one of the user, for models that refuse it',
  (role) => {
    const breakpoint = '"cache_control": {"type":"ephemeral"}';
    const list = [
      '{"role":"user","content":"Hi"}',
      `{${role},"content":"Be kind."}`,
      `{${role},"content":[{"type":"text","text":"Be brief.", ${breakpoint}}]}`,
    ];
    const given = `{"model":"m", "messages": [${list.join(', ')}]}`;
    const sent = send(given, 'claude-sonnet-4-5');
    expect(JSON.parse(sent).messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'user', content: wrapped('Be kind.') },
      {
        role: 'user',
        content: [{ type: 'text', text: wrapped('Be brief.'), cache_control: { type: 'ephemeral' } }],
      },
    ]);
    expect(sent).toContain(breakpoint);
    for (const model of ['claude-opus-4-8', 'glm-5']) expect(send(given, model)).toBe(given);
  },
);
