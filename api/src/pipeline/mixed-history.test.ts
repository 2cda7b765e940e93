import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerAs,
  Conversation,
  findRefusal,
  PROVIDERS,
  sendTo,
  type ScriptedProvider,
} from './mixed-history.fixture.ts';

type Name = keyof typeof PROVIDERS;
const isName = (name: string): name is Name => name in PROVIDERS;
const NAMES = Object.keys(PROVIDERS).filter(isName);
/** These require the reasoning of a turn's calls, also if another model made them. */
const NEEDS_REASONING: readonly Name[] = ['openrouter', 'deepseek'];

const turn = fc.record({
  name: fc.constantFrom(...NAMES),
  thinks: fc.boolean(),
  hides: fc.boolean(),
  calls: fc.integer({ min: 0, max: 2 }),
});

describe.each(['openai-chat', 'anthropic-messages', 'openai-responses'] as const)(
  'a conversation of %s with several models',
  (dialect) => {
    it('is valid for every provider, and each gets its own signatures back', () => {
      fc.assert(
        fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), (turns) => {
          const conversation = new Conversation(dialect);
          const issued = new Map<Name, string[]>();
          let callers = new Set<Name>();
          conversation.ask('Begin');
          for (const [number, { name, ...said }] of turns.entries()) {
            const provider: ScriptedProvider = PROVIDERS[name];
            const { body, signatures } = answerAs(provider, { number, ...said });
            conversation.add(provider, body);
            issued.set(name, [...(issued.get(name) ?? []), ...signatures]);
            if (said.calls > 0) callers.add(name);
            else {
              conversation.ask('And now?');
              callers = new Set();
            }
            const given = conversation.body;
            for (const next of NAMES) {
              if (NEEDS_REASONING.includes(next) && callers.size > 0) continue;
              const sent = sendTo(PROVIDERS[next], dialect, given);
              expect([next, findRefusal(PROVIDERS[next], sent)]).toEqual([next, null]);
              const text = JSON.stringify(sent);
              for (const signature of issued.get(next) ?? []) expect(text).toContain(signature);
            }
          }
        }),
        { numRuns: 40 },
      );
    });
  },
);
