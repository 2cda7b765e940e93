import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { chatCompletionsEndpoint, type EndpointSpec } from '../endpoints.ts';
import { BodyBudget } from '../request-body/body-budget.ts';
import { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { embeddingsEndpoint } from '../routes/embeddings.ts';
import { GatheredAnswer } from './gathered-answer.ts';
import { LargeAnswers } from './large-answers.ts';
import type { RelayContext } from './relay.ts';

const MIB = 1024 * 1024;
const workers = new BodyWorkers({ threads: 1, timeLimitMs: 30_000, maxHeapMib: 512 });
afterAll(() => workers.close());

class Gathered extends GatheredAnswer {
  protected override answerWith(): GatewayError | null {
    return null;
  }

  outline(): void {
    this.startOutline();
  }

  end(): void {
    this.readEnd();
  }
}

function gather(spec: EndpointSpec, body: object | string, size = MIB) {
  const largeAnswers = new LargeAnswers(new BodyBudget(96 * MIB), workers);
  const used = { spec, largeAnswers, key: { accountId: 'acct_a' }, inputTokens: 5, estimateInput: () => 5 };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a response is measured with; the rest sends it
  const answer = new Gathered(used as RelayContext, 64 * MIB);
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const add = () => {
    const taken: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) taken.push(answer.take(bytes.subarray(at, at + size)));
    return taken;
  };
  return { answer, add, largeAnswers };
}

const chat = (content: string, usage: object) => ({ choices: [{ message: { content } }], usage });
const USAGE = { prompt_tokens: 5, completion_tokens: 100 };

describe('the usage of a gathered response', () => {
  it('is final if the provider has reported the output', () => {
    const { answer, add } = gather(chatCompletionsEndpoint, chat('Hello', USAGE));
    add();
    expect(answer.meter()).toMatchObject({ isFinal: true, estimated: false, usage: { outputTokens: 100 } });
  });

  it('is not final before the report has come', () => {
    const whole = JSON.stringify(chat('Hello', USAGE));
    const { answer, add } = gather(chatCompletionsEndpoint, whole.slice(0, whole.indexOf('"usage"')));
    add();
    expect(answer.meter()).toMatchObject({ isFinal: false, estimated: true });
  });

  it('without output is final once the end of the response was read', () => {
    const data = [{ embedding: 'A'.repeat(MIB) }];
    const { answer, add } = gather(embeddingsEndpoint, { data, usage: { prompt_tokens: 7 } });
    answer.outline();
    add();
    expect(answer.meter()).toMatchObject({ isFinal: false, estimated: true });
    answer.end();
    expect(answer.meter()).toMatchObject({ isFinal: true, estimated: false, usage: { inputTokens: 7 } });
  });

  it('is estimated if the outline lacks text, also if the provider has reported it', () => {
    // Longer than any outline; the reported output is possible.
    const usage = { ...USAGE, completion_tokens: 2 * MIB };
    const { answer, add } = gather(chatCompletionsEndpoint, chat('hello '.repeat(MIB), usage));
    answer.outline();
    add();
    answer.end();
    expect(answer.meter()).toMatchObject({ isFinal: true, estimated: true });
  });
});

describe('reading a gathered response', () => {
  it('waits for its turn only if the response is large', () => {
    const turns = (bytes: number) => gather(chatCompletionsEndpoint, 'x'.repeat(bytes), 64 * 1024).add();
    expect(turns(MIB)).toContain('wait');
    expect(turns(64 * 1024)).toEqual(['more']);
  });

  it('does not wait for a small response while large ones take their turns', () => {
    const { answer, largeAnswers } = gather(chatCompletionsEndpoint, '');
    expect(largeAnswers.turns.spend('acct_a', MIB)).toBe(true);
    expect(answer.take(Buffer.alloc(1024))).toBe('more');
  });
});
