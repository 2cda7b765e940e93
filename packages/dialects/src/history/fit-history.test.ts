import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { packCallId, toPlainCallId, unpackCallId } from '../call-id.ts';
import { JsonObjectBytes } from '../json/edit-members.ts';
import { encodeResponseReasoning } from '../openai-responses/reasoning-item.ts';
import { encodeSignature } from '../thinking-signature.ts';
import { findHistoryMarks, fitHistory, withHistory } from './fit-history.ts';
import type { HistoryTarget } from './history-target.ts';

const CLAUDE: HistoryTarget = {
  dialect: 'anthropic-messages',
  model: 'claude-opus-4-8',
  isKnown: true,
  isAnthropic: true,
};
const BUDGET_CLAUDE: HistoryTarget = { ...CLAUDE, model: 'claude-sonnet-4-5' };
const OTHER_MESSAGES: HistoryTarget = {
  dialect: 'anthropic-messages',
  model: 'glm-5',
  isKnown: false,
  isAnthropic: false,
};
const OPENAI: HistoryTarget = {
  dialect: 'openai-responses',
  model: 'gpt-5.4',
  isKnown: true,
  isAnthropic: false,
};
const OTHER_RESPONSES: HistoryTarget = { ...OPENAI, model: 'qwen', isKnown: false };
const OPENAI_CHAT: HistoryTarget = {
  dialect: 'openai-chat',
  model: 'gpt-5.4',
  isKnown: true,
  isAnthropic: false,
};
const OTHER_CHAT: HistoryTarget = {
  dialect: 'openai-chat',
  model: 'qwen',
  isKnown: false,
  isAnthropic: false,
};

function fit(json: string, target: HistoryTarget) {
  const body = new JsonObjectBytes(Buffer.from(json));
  const history = fitHistory(body, target);
  // A thread searches for the marks of all targets.
  expect(fitHistory(body, target, findHistoryMarks(body.bytes, target.dialect))).toEqual(history);
  const sent = body.edit(withHistory({ drops: [], changes: {} }, history));
  return { sent: sent.toString(), isSame: sent === body.bytes, dropped: history.dropped };
}

const FOREIGN = encodeSignature({ type: 'reasoning.encrypted', data: 'x', format: 'google-gemini-v1' });
const OWN_OPENAI = encodeSignature({
  type: 'reasoning.encrypted',
  data: 'gAAA',
  id: 'rs_first',
  format: 'openai-responses-v1',
});
const OWN = '{"type":"thinking","thinking":"a","signature":"EqQB"}';
const CALL = '{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":12345678901234567890, "x":1.0}}';
const RESULT = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}';
const assistant = (...blocks: string[]) => `{"role": "assistant", "content" : [${blocks.join(', ')}]}`;
const messages = (...list: string[]) =>
  `{"model":"m", "messages": [{"role":"user","content":"Hi"}, ${list.join(', ')}]}`;

describe('a conversation for the Messages API', () => {
  it.each([
    ['other signed reasoning', `{"type":"thinking","thinking":"b","signature":"${FOREIGN}"}`],
    ['other hidden reasoning', `{"type":"redacted_thinking","data":"${FOREIGN}"}`],
    ['unsigned reasoning', '{"type":"thinking","thinking":"b","signature":""}'],
    ['unsigned reasoning of Python', '{"type": "thinking", "thinking": "b", "signature": ""}'],
    ['unsigned reasoning with spaces', '{"type":"thinking","thinking":"b","signature" : ""}'],
    [
      'escaped other reasoning',
      `{"type":"redacted_thinking","data":"${FOREIGN.replace('.', String.raw`\u002e`)}"}`,
    ],
  ])('is sent to Claude without %s, and keeps all other bytes', (_name, block) => {
    const kept = messages(assistant(OWN, CALL), RESULT);
    for (const given of [
      messages(assistant(block, OWN, CALL), RESULT),
      messages(assistant(OWN, block, CALL), RESULT),
    ])
      expect(fit(given, CLAUDE)).toEqual({ sent: kept, isSame: false, dropped: ['reasoning'] });
    expect(fit(messages(assistant(block), '{"role":"user","content":"?"}'), CLAUDE).sent).toBe(
      messages('{"role":"user","content":"?"}'),
    );
  });

  it('is sent to a custom server with unsigned reasoning, which may be its own', () => {
    const given = messages(assistant('{"type":"thinking","thinking":"b","signature":""}', CALL), RESULT);
    expect(fit(given, OTHER_MESSAGES).isSame).toBe(true);
  });

  it('is sent without citations that the provider did not issue', () => {
    const made = '{"type":"web_search_result_location","url":"u","encrypted_index":""}';
    const own = '{"type":"web_search_result_location","url":"u","encrypted_index":"E"}';
    const text = (...list: string[]) => `{"type":"text","citations":[${list.join(',')}],"text":"a"}`;
    expect(fit(messages(assistant(text(made))), CLAUDE).sent).toBe(
      messages(assistant('{"type":"text","text":"a"}')),
    );
    expect(fit(messages(assistant(text(own, made))), CLAUDE).sent).toBe(messages(assistant(text(own))));
  });

  it('has ids of calls without what they carry, also in results', () => {
    const packed = packCallId('call_1', 'c2ln');
    const given = messages(assistant(CALL), RESULT).replaceAll('toolu_1', packed);
    expect(fit(given, CLAUDE).sent).toBe(messages(assistant(CALL), RESULT).replaceAll('toolu_1', 'call_1'));
  });

  it('has no thinking budget if text of the user follows the results of a turn without reasoning', () => {
    const withBudget = (...list: string[]) =>
      messages(...list).replace('"model"', '"thinking":{"type":"enabled","budget_tokens":1024}, "model"');
    const more = '{"role":"user","content":"and?"}';
    expect(fit(withBudget(assistant(CALL), RESULT, more), BUDGET_CLAUDE).dropped).toEqual(['thinking']);
    expect(fit(withBudget(assistant(OWN, CALL), RESULT, more), BUDGET_CLAUDE).dropped).toEqual([]);
    expect(
      fit(withBudget(assistant(CALL), RESULT, assistant('{"type":"text","text":"a"}'), more), BUDGET_CLAUDE),
    ).toMatchObject({ isSame: true });
  });

  it('has no thinking budget while the results of a turn without reasoning are sent', () => {
    const withBudget = (json: string) =>
      json.replace('"model"', '"thinking":{"type":"enabled","budget_tokens":1024}, "model"');
    const unsigned = '{"type":"thinking","thinking":"b","signature":""}';
    for (const turn of [assistant(CALL), assistant(unsigned, CALL)])
      expect(fit(withBudget(messages(turn, RESULT)), BUDGET_CLAUDE)).toMatchObject({
        sent: messages(assistant(CALL), RESULT),
        dropped: expect.arrayContaining(['thinking']),
      });
    expect(fit(withBudget(messages(assistant(OWN, CALL), RESULT)), BUDGET_CLAUDE).isSame).toBe(true);
    expect(fit(withBudget(messages(assistant(CALL), RESULT)), CLAUDE).isSame).toBe(true);
  });

  it('is the same bytes without any of these', () => {
    expect(fit(messages(assistant(OWN, CALL), RESULT), CLAUDE).isSame).toBe(true);
  });
});

describe('a conversation for the Responses API', () => {
  const input = (...items: unknown[]) =>
    JSON.stringify({ model: 'm', input: [{ role: 'user', content: 'Hi' }, ...items] });
  const reasoning = (content: unknown, id = 'rs_1') => ({
    id,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'a' }],
    encrypted_content: content,
  });

  it.each(['thinking.signature:EqQB', 'redacted_thinking:x', FOREIGN])(
    'is sent without reasoning of other models: %s',
    (content) => {
      for (const target of [OPENAI, OTHER_RESPONSES])
        expect(fit(input(reasoning(content)), target)).toEqual({
          sent: input(),
          isSame: false,
          dropped: ['reasoning'],
        });
    },
  );

  it('is sent to OpenAI without reasoning that is not encrypted, since nothing is stored there', () => {
    expect(fit(input(reasoning(null)), OPENAI).sent).toBe(input());
    expect(fit(input(reasoning(null)), OTHER_RESPONSES).isSame).toBe(true);
  });

  describe('that updates the configuration', () => {
    const update = (settings: object) => ({ type: 'configuration_update', id: 'cfg_1', ...settings });
    const O3 = { ...OPENAI, model: 'o3' };

    it('has an effort that the model takes, and keeps all other bytes', () => {
      const text = { verbosity: 'low' };
      expect(fit(input(update({ reasoning: { effort: 'max', summary: 'auto' }, text })), O3)).toEqual({
        sent: input(update({ reasoning: { effort: 'high', summary: 'auto' }, text })),
        isSame: false,
        dropped: ['configuration_update.reasoning.effort'],
      });
    });

    it('has no reasoning for a model that does not reason', () => {
      const target = { ...OPENAI, model: 'gpt-4o' };
      const text = { verbosity: 'low' };
      expect(fit(input(update({ reasoning: { effort: 'high' }, text })), target)).toEqual({
        sent: input(update({ text })),
        isSame: false,
        dropped: ['configuration_update.reasoning'],
      });
    });

    it('stays as it is if the model takes it, or is not known', () => {
      const known = input(update({ reasoning: { effort: 'high' } }));
      expect(fit(known, O3)).toMatchObject({ isSame: true, dropped: [] });
      const other = input(update({ reasoning: { effort: 'max' } }));
      expect(fit(other, OTHER_RESPONSES)).toMatchObject({ isSame: true, dropped: [] });
    });
  });

  it('has its own reasoning under the first id, as it was', () => {
    const part = { type: 'thinking', text: 'a', signature: OWN_OPENAI } as const;
    expect(fit(input(reasoning(OWN_OPENAI, 'rs_later')), OPENAI).sent).toBe(
      input(reasoning('gAAA', 'rs_first')),
    );
    expect(fit(input(encodeResponseReasoning(part, 'rs_later')), OPENAI).isSame).toBe(true);
  });

  it('has ids of calls without what they carry', () => {
    const items = (id: string) => [
      { type: 'function_call', call_id: id, name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: id, output: 'x' },
    ];
    expect(fit(input(...items(packCallId('call_1', 'c2ln'))), OPENAI).sent).toBe(input(...items('call_1')));
  });
});

describe('a conversation for chat completions', () => {
  const chat = (id: string, rest: object = {}) =>
    JSON.stringify({
      model: 'm',
      messages: [
        {
          role: 'assistant',
          content: 'a',
          tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
          ...rest,
        },
        { role: 'tool', tool_call_id: id, content: 'x' },
      ],
    });

  it('is sent to OpenAI without reasoning and signatures', () => {
    for (const name of ['reasoning_details', 'reasoning_content', 'reasoning'])
      expect(
        fit(
          chat('call_1', {
            [name]: name === 'reasoning_details' ? [{ type: 'reasoning.text', text: 'b' }] : 'b',
          }),
          OPENAI_CHAT,
        ).sent,
      ).toBe(chat('call_1'));
    const reasoned = chat('call_1', { reasoning_content: 'b' });
    for (const model of ['qwen', 'gpt-oss:20b'])
      expect(fit(reasoned, { ...OTHER_CHAT, model }).isSame).toBe(true);
    expect(fit(reasoned, { ...OTHER_CHAT, model: 'gpt-4.1' }).sent).toBe(chat('call_1'));
  });

  it('has ids of calls that the provider accepts', () => {
    for (const target of [OPENAI_CHAT, OTHER_CHAT])
      expect(fit(chat(packCallId('call_1', 'c2ln')), target).sent).toBe(chat('call_1'));
    const long = `chatcmpl-tool-${'a'.repeat(32)}`;
    expect(fit(chat(long), OTHER_CHAT).isSame).toBe(true);
    expect(JSON.parse(fit(chat(long), OPENAI_CHAT).sent).messages[1].tool_call_id).toMatch(/^call_\w{9}$/);
  });
});

describe('the id of a call in an answer of the Messages API', () => {
  it.each(['functions.add:0', 'a/b', 'é', `a.b--id1-x`, packCallId('functions.add:0', 'c2ln')])(
    'has only characters that the dialect takes, and carries the own id: %s',
    (id) => {
      expect(toPlainCallId(id)).toMatch(/^[a-zA-Z0-9_-]+$/);
      expect(unpackCallId(toPlainCallId(id))).toEqual(unpackCallId(id));
    },
  );

  it('stays as it is if it has only these', () => {
    for (const id of ['toolu_1', 'a--id1-x', 'call_1']) {
      expect(toPlainCallId(id)).toBe(id);
      expect(unpackCallId(id)).toEqual({ id, signature: null });
    }
  });
});

describe("Claude Code's billing header", () => {
  const HEADER = '{"type":"text","text":"x-anthropic-billing-header: cc_version=2.1.332; cch=1a2b3;"}';
  const PROMPT = '{"type":"text",  "text":"You are Claude Code."}';
  const rest = '"messages":[{"role":"user","content":"x-anthropic-billing-header: what is this?"}]';
  const HOSTED: HistoryTarget = { ...CLAUDE, isAnthropic: false };

  it.each<[string, string, string]>([
    ['the first block', `{"system": [${HEADER}, ${PROMPT}],${rest}}`, `{"system": [${PROMPT}],${rest}}`],
    ['a block after others', `{${rest},"system":[${PROMPT}, ${HEADER}]}`, `{${rest},"system":[${PROMPT}]}`],
    ['the only block', `{"system":[${HEADER}],${rest}}`, `{${rest}}`],
    [
      'a block with escapes',
      `{"system":[${HEADER.replace('anthropic', 'anthr\\u006fpic')},${PROMPT}],${rest}}`,
      `{"system":[${PROMPT}],${rest}}`,
    ],
  ])('is taken out if it is %s', (_, given, sent) => {
    for (const target of [HOSTED, OTHER_MESSAGES]) {
      expect(fit(given, target)).toMatchObject({ sent, dropped: ['x-anthropic-billing-header'] });
    }
    expect(fit(given, CLAUDE).isSame).toBe(true);
  });

  it.each([
    `{"system":[${PROMPT}],${rest}}`,
    `{"system":"x-anthropic-billing-header: 1",${rest}}`,
    `{${rest}}`,
  ])('is not looked for in other texts: %s', (given) => {
    expect(fit(given, HOSTED)).toMatchObject({ isSame: true, dropped: [] });
  });
});
